"""The process of the window: QApplication, opening and orderly close, and the heap."""
