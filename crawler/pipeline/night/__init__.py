"""A site's night and the fleet's: plan, run, publish, alarms, upkeep."""
