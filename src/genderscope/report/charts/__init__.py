"""The charts, each one specification that is drawn for a page, a telephone or a column of a paper."""
