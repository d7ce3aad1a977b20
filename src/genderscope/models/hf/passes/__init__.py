"""How texts share a forward pass: strategies, their layouts, and the exactness check (docs/forward-passes.md)."""
