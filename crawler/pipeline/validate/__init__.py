"""Validation of stored versions: what is pending, the validator, Data Docs."""
