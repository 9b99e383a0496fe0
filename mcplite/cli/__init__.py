"""The command line of mcplite: one module for each command, `main` in front. Nothing outside `cli` imports it."""
