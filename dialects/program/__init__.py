"""Questions about whole programs, of any dialect: symbols, dominance, names."""
