"""Tests of whole processes in the world as it is: signals, full disks, closed pipes."""
