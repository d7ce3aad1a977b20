"""Results as text and figure files."""
