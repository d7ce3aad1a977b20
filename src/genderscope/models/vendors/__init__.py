"""Chat models of vendors whose protocol is not OpenAI's: Anthropic and Google."""
