"""Batched forward passes: strategies, their layouts, and the exactness check (docs/forward-passes.md)."""
