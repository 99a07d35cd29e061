"""Channel shuffles, and the convolutions that can take channels in another order."""
