"""SQLite itself: driver, pragmas, statements, files on the disk. Knows no table."""
