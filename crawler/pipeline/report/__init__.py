"""What people are shown about sites and URLs: status, explain, probe, wording."""
