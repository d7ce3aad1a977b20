"""GGUF files, read as llama.cpp reads them."""
