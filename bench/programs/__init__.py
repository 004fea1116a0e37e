"""Measured programs, each run by a Python with the required packages."""
