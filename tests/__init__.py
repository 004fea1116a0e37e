"""The tests; `cases/` has most tests of behaviour that users rely on."""
