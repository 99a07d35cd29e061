"""What tests share: random programs, and oracles that know the rules by themselves."""
