"""Tests of whole processes: signals, full disks, closed pipes, servers."""
