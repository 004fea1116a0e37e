"""The tests; `cases/` holds most of what users rely on."""
