"""What the command line and the scheduled tasks call: it joins engine, web, state and storage."""
