"""Charts as Vega-Lite specifications, for web pages, phones and paper columns."""
