"""What changed between two versions of a file: columns, rows and figures, without I/O."""
