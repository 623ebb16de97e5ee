"""The one door to destruction: scope, dry run, phrase, result; and scrubs agents ask for."""
