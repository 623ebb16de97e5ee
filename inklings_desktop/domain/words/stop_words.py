"""English words that say nothing about what is looked for."""

from __future__ import annotations

STOP_WORDS = frozenset([
    "a", "about", "am", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but",
    "by", "can", "could", "did", "do", "does", "doing", "for", "from", "had", "has", "have",
    "having", "he", "her", "here", "hers", "him", "his", "how", "i", "if", "in", "into", "is",
    "it", "its", "just", "me", "my", "of", "on", "or", "our", "ours", "she", "should", "so",
    "some", "than", "that", "the", "their", "theirs", "them", "then", "there", "these", "they",
    "this", "those", "to", "too", "us", "was", "we", "were", "what", "when", "where", "which",
    "while", "who", "whom", "whose", "why", "will", "with", "would", "you", "your", "yours",
    "ain't", "can't", "shan't", "won't",
])  # fmt: skip
