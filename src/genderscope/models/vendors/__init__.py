"""Chat models from vendors with their own protocols: Anthropic and Google."""
