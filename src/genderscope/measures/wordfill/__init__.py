"""What StereoSet and CrowS-Pairs with control groups share."""
