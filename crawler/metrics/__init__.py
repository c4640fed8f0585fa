"""What is measured: the names of all metrics, and how a process that works sends its own."""
