"""GGUF files, interpreted as in llama.cpp."""
