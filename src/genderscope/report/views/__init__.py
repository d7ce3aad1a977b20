"""Views of measures, declared in a `view.toml` next to the measure, and what such a file can name."""
