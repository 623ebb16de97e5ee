"""Making managed backups and naming them."""
