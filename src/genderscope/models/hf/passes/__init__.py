"""How texts are run through a language model: layouts, shortcuts, and the trials that check them."""
