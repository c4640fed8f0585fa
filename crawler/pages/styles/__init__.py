"""How links look, without a browser: style sheets, inline styles and attributes of a page."""
