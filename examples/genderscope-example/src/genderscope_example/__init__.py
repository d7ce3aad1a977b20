"""A worked example of a plugin package for Genderscope: one module for each thing a plugin can bring."""
