"""WinoBias as used in GEST's appendix B."""
