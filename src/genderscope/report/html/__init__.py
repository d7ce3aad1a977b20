"""The pages: one file each, without the network."""
