"""GEST asked of chat models: answers, option letters or invented characters."""
