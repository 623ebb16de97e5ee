"""Parts of panes and pages that several pages share."""
