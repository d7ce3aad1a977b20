"""WinoBias as GEST's appendix B asks it."""
