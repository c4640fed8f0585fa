"""Configuration: site files (YAML) and settings (environment), each with a reason when wrong."""
