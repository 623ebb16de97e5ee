"""Finding what there is to go to and to do: the palette and the keyboard sheet."""
