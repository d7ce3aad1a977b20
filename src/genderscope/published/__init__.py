"""The papers' figures, and their recomputation from released data beside ours."""
