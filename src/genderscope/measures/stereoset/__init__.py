"""StereoSet with control groups."""
