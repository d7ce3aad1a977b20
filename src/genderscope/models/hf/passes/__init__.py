"""How texts are put through a language model: layouts, short cuts, and the trials that check them."""
