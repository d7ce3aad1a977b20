"""GEST for chat models: answers, option letters or invented characters."""
