"""Export of results to text and figure files."""
