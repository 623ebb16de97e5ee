"""The index of a workspace's pages, and the only writer into the folders of the author."""
