"""The Named entries page: VOICE, SOUL, companions, and what agents propose for them."""
