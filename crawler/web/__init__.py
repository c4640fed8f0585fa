"""I/O: fetching, politeness, and the guard against private addresses.

Nothing is imported here, so that the engine can use `web.messages` without pulling in requests.
"""
