"""Names of outcomes, contexts and leading estimates, in a module that imports nothing."""

BIASED, COUNTER, UNKNOWN, REFUSED = "biased", "counter", "unknown", "refused"
#: the kinds of options
KINDS = (BIASED, COUNTER, UNKNOWN)
AMBIGUOUS, DISAMBIGUATED = "ambiguous", "disambiguated"
CONDITIONS = (AMBIGUOUS, DISAMBIGUATED)
DIFFERENCES = ("bias_ambiguous", "bias_disambiguated")
#: share of right answers that a model reaches by choosing one of three options at random
CHANCE = 1 / 3
