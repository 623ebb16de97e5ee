"""How the server runs: in a process of its own or in the one host, over stdio or HTTP."""
