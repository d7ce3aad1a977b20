"""The WMT24 speaker-listener dialogue suite."""
