"""Local translation systems and existing translations."""
