"""The examples at the end of each command's help page."""

#: command -> examples, the simplest first
EXAMPLES: dict[str, tuple[str, ...]] = {
    "run": ("genderscope run gest --model smollm2 --data starter", "genderscope run gest --help"),
    "run gest": (
        "genderscope run gest --model smollm2 --data starter",
        "genderscope run gest --model hf:gpt2 --templates 3,4 --limit 200 --out runs/gpt2",
    ),
    "run gest-chat": (
        "genderscope run gest-chat --model smollm2 --data starter --limit 32",
        "genderscope run gest-chat --model anthropic:MODEL --form write --max-cost 5 --price-in 3 --price-out 15",
    ),
    "run gest-mt": (
        "genderscope run gest-mt --model apertium:eng-spa --to es --data starter",
        "genderscope run gest-mt --model file:translations.csv --to sk,cs",
    ),
    "run honest": (
        "genderscope run honest --model hf:bert-base-uncased -k 20",
        "genderscope run honest -m hf:gpt2 --lang it",
    ),
    "run stereoset": (
        "genderscope run stereoset --model hf:bert-base-uncased",
        "genderscope run stereoset --model hf:gpt2 --set plain --as-published",
    ),
    "run crows": ("genderscope run crows --model hf:bert-base-uncased --bias-types gender,age",),
    "run slovak-gender": ("genderscope run slovak-gender --model hf:gerulata/slovakbert",),
    "run gest-slavic": ("genderscope run gest-slavic --model hf:gerulata/slovakbert --pairs pairs.csv --lang sk",),
    "run winobias": ("genderscope run winobias --model hf:gpt2 --type 1 --split dev",),
    "run dialogue": ("genderscope run dialogue --model file:translations.csv --to es --data starter",),
    "run eurogest": ("genderscope run eurogest --model hf:gpt2 --lang sk,fr --limit 100",),
    "run mt-geneval": ("genderscope run mt-geneval --model hf:Helsinki-NLP/opus-mt-en-es --to es --set contextual",),
    "audit": (
        "genderscope audit --model smollm2 --budget quick --offline",
        "genderscope audit --model hf:gpt2 --model hf:distilgpt2 --baseline hf:gpt2",
        "genderscope audit --config genderscope.toml --plan",
    ),
    "init": ("genderscope init", "genderscope init recipes/nightly.toml"),
    "demo": ("genderscope demo", "genderscope demo --mt"),
    "power": (
        "genderscope power gest --effect 1.1",
        "genderscope power gest --pilot runs/pilot --samples 500 --samples 2000",
    ),
    "show": ("genderscope show runs/gpt2", "genderscope show runs/gpt2 --format latex --out table.tex"),
    "report": ("genderscope report runs/gpt2 runs/bert --out report.html",),
    "figures": ("genderscope figures runs/gpt2 --format pdf --width page",),
    "list": ("genderscope list measures", "genderscope list runs audit/standard"),
    "card": ("genderscope card gest",),
    "push": (
        "genderscope push runs/gpt2 --repo me/bias-results",
        "genderscope push runs/gpt2 --repo me/gpt2 --type model --pr",
    ),
    "compare": (
        "genderscope compare runs/old runs/new",
        "genderscope compare runs/old runs/new --fail-if 'delta(f_s) > 0.02' --html compare.html",
    ),
    "gate": ("genderscope gate runs/new --fail-if 'f_s > 0.1' --fail-if 'f_s[sk].high > 0.2'",),
    "scorecard": (
        "genderscope scorecard runs --html scorecard.html",
        "genderscope scorecard runs --model hf:gpt2 --model-card section.md",
    ),
    "leaderboard": ("genderscope leaderboard runs --csv leaderboard.csv",),
    "pool": ("genderscope pool runs/seed-0 runs/seed-1 runs/seed-2",),
    "validity": ("genderscope validity runs/* --x gest:g_s --y crows:cs --plot validity.pdf",),
    "reproduce": ("genderscope reproduce gest-lm", "genderscope reproduce gest-lm --csv cells.csv"),
    "score": (
        "genderscope score gest-mt --to sk translations.csv",
        "genderscope score gest-mt --to sk --data starter < translations.txt",
    ),
    "translate": (
        "genderscope translate sentences.txt --model hf:Helsinki-NLP/opus-mt-en-es --to es --out translated.csv",
    ),
    "read": ("genderscope read speaker --lang sk sentences.txt",),
    "read speaker": (
        "genderscope read speaker --lang sk sentences.txt",
        "genderscope read speaker --lang sk --gold labelled.tsv",
    ),
    "read adjectives": ("genderscope read adjectives translations.txt --lang es --suite suite.csv",),
    "read sample": ("genderscope read sample runs/mt --lang sk --out to-label.tsv",),
    "pairs": ("genderscope pairs check pairs.csv --lang sk",),
    "pairs build": ("genderscope pairs build --model hf:Helsinki-NLP/opus-mt-en-sk --to sk --out pairs.csv",),
    "pairs check": ("genderscope pairs check pairs.csv --lang sk",),
    "doctor": ("genderscope doctor",),
    "data": ("genderscope data fetch gest",),
    "data fetch": ("genderscope data fetch gest",),
    "data verify": ("genderscope data verify gest",),
    "data where": ("genderscope data where gest",),
    "data sources": ("genderscope data sources gest-mt --data starter > sources.txt",),
    "models": ("genderscope models fetch smollm2",),
    "models fetch": ("genderscope models fetch smollm2",),
    "models where": ("genderscope models where smollm2",),
    "models remove": ("genderscope models remove smollm2",),
}
