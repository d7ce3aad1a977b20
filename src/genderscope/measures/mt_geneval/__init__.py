"""MT-GenEval: gender accuracy of machine translation."""
