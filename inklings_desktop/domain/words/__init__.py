"""Text as such: words, phrases, stems, differences, what does not show."""
