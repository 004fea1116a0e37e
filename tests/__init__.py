"""The tests; `cases/` holds most of what is promised to users."""
