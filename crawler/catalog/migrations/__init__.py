"""How the catalog's tables came to be, revision by revision. Alembic runs versions/ through env.py.

A change of the tables is a new file in versions/, never a change of an old one. The SQL views are
no part of any revision: they are dropped before the migrations and made again after them.
"""

HEAD = "0015"
"""The newest revision; here so that Alembic is only loaded when there is something to do."""
