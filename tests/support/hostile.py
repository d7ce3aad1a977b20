"""Names that break naive table formats."""

HOSTILE = "a|b_{c}$%&#~^\\input{x}<script>alert(1)</script>\x1b[31mred\u202e`*\n\r| x |\n\\end{tabular}"
