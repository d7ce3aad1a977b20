"""What is shown on the terminal."""
