"""The language server: a thin door from LSP to the restoration pipeline."""
