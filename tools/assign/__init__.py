"""`--assign`: layouts of tensors that are names, for other compilers."""
