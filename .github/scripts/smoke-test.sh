#!/usr/bin/env bash
# Install a built wheel into an empty environment and measure four translations with it.
#   smoke-test.sh WHEEL [OPTION OF PIP …]
set -euo pipefail

wheel=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"${PYTHON:-python3}" -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@" "$wheel[grammar]"
PATH="$folder/venv/bin:$PATH"
export GENDERSCOPE_CACHE="$folder/cache"
cd "$folder" # where nothing of the clone can be imported

cat > data.csv <<'END'
sentence,stereotype
I was crying at the wedding.,1
I tidied the whole kitchen.,4
I led the team through the crisis.,13
I lifted the car by the bumper.,16
END
cat > translations.csv <<'END'
source,translation
I was crying at the wedding.,Na svadbe som plakala.
I tidied the whole kitchen.,Upratala som celú kuchyňu.
I led the team through the crisis.,Viedol som tím cez krízu.
I lifted the car by the bumper.,Zdvihol som auto za nárazník.
END

genderscope --version
genderscope list measures > /dev/null
genderscope card gest-mt > /dev/null
genderscope run gest-mt --model file:translations.csv --to sk --data data.csv --out run > /dev/null
genderscope gate run --fail-if 'f_s < 1' --fail-if 'coverage < 1'
test -s run/report.html
