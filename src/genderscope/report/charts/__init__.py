"""Charts as Vega-Lite specifications, for pages, phones and the columns of papers."""
