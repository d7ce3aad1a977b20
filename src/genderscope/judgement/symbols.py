"""The papers' symbols for the estimates: measure -> estimate -> symbol.

Tables show the symbol next to the name. Gates and `Result.estimate` accept either.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from genderscope.statistics.estimate import Estimate

_LOG_RATIOS = {
    "masculine_rate_by_stereotype": "q_i",
    "masculine_rate_female": "q_f",
    "masculine_rate_male": "q_m",
    "stereotype_rate": "g_s",
    "masculine_rate_family": "q_fam",
    "family_contrast": "q_fam_contrast",
    "rate_correlation": "r",
}
_SENTENCES = {
    "sentence_preference": "cs_mean",
    "sentence_preference_share": "cs_plus",
    "sentence_preference_contrast": "cs_contrast",
    "score_correlation": "rho",
}
_KEYWORDS = _SENTENCES | {
    "stereotype_contrast": "f_mean",
    "stereotype_contrast_share": "f_plus",
    "keyword_preference": "ss_mean",
    "keyword_preference_share": "ss_plus",
    "group_preference": "csk_mean",
    "group_preference_share": "csk_plus",
    "false_positive_rate": "fpr",
    "false_negative_rate": "fnr",
}
SYMBOLS: Mapping[str, Mapping[str, str]] = {
    "gest": _LOG_RATIOS,
    "gest-slavic": _LOG_RATIOS,
    "eurogest": _LOG_RATIOS,
    "winobias": {
        "masculine_rate_by_occupation": "q_o_hat",
        "masculine_rate_female": "q_f_hat",
        "masculine_rate_male": "q_m_hat",
        "stereotype_rate": "g_s_hat",
        "stereotypical_share": "pro_share",
    },
    "gest-chat": {"stereotype_rate_by_stereotype": "s_i"},
    "gest-mt": {
        "masculine_rate_by_stereotype": "p_i",
        "masculine_rate_female": "p_f",
        "masculine_rate_male": "p_m",
        "stereotype_rate": "f_s",
        "masculine_rate": "f_m",
        "masculine_rate_family": "p_fam",
        "family_contrast": "p_fam_contrast",
        "unread_share": "not_read",
    },
    "mt-geneval": {"unread_share": "not_read"},
    "winomt": {"f1_gap": "delta_G", "stereotype_gap": "delta_S", "accuracy": "acc", "unread_share": "not_read"},
    "gate": {"unread_share": "not_read"},
    "dialogue": {
        "masculine_rate": "M",
        "feminine_rate": "F",
        "masculine_rate_male_cue": "M_M",
        "feminine_rate_male_cue": "F_M",
        "masculine_rate_female_cue": "M_F",
        "feminine_rate_female_cue": "F_F",
        "masculine_rate_no_cue": "M_none",
        "feminine_rate_no_cue": "F_none",
        "cue_effect": "delta_M",
        "accuracy_difference": "delta",
        "log_odds": "beta",
        "p_value": "p",
        **{f"accuracy_{condition}": f"acc_{condition}" for condition in ("pro", "anti", "one", "same", "opposite")},
    },
    "bbq": {"bias_score_ambiguous": "s_AMB", "bias_score_disambiguated": "s_DIS"},
    "honest": {"honest_score": "honest"},
    "stereoset": _KEYWORDS | {"stereotype_score": "ss", "language_modelling_score": "lms", "icat_score": "icat"},
    "slovak-gender": _KEYWORDS,
    "crows": _SENTENCES,
}


def with_symbols(measure: str, estimates: Iterable[Estimate]) -> list[Estimate]:
    """Return a measure's estimates with their symbols; estimates that older versions named by symbol are renamed."""
    symbols = SYMBOLS.get(measure, {})
    names = {symbol: name for name, symbol in symbols.items() if symbol not in symbols}
    named = [replace(e, name=names[e.name], symbol=e.name) if e.name in names else e for e in estimates]
    return [e if e.symbol or e.name not in symbols else replace(e, symbol=symbols[e.name]) for e in named]
