"""The frame around the pages: menus, status bar, closing, and the pages it shows."""
