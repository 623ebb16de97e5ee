"""Brings files of earlier versions up to date, or leaves them exactly as they were."""
