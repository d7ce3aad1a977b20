"""CrowS-Pairs with control groups."""
