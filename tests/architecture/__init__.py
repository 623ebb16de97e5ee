"""Tests of the house itself: who may import whom, what a start costs, what the files may say."""
