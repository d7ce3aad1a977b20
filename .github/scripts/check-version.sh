#!/usr/bin/env bash
# Check that a tag such as v0.3.0 is the version of the package, of the citation and of a dated entry of the changelog.
#   check-version.sh TAG
set -euo pipefail
cd "$(dirname "$0")/../.."

version=${1#v}
fail() {
  echo "::error::$1"
  exit 1
}

[[ "$1" == v* ]] || fail "The tag '$1' does not begin with v."
grep -qxF "__version__ = \"$version\"" src/genderscope/version.py ||
  fail "The tag is $1, but src/genderscope/version.py has another version."
grep -qxF "version: $version" CITATION.cff ||
  fail "The tag is $1, but CITATION.cff has another version."
grep -qxE "## ${version//./\\.} \([0-9]{4}-[0-9]{2}-[0-9]{2}\)" CHANGELOG.md ||
  fail "CHANGELOG.md has no dated entry for $version, such as '## $version (2030-01-31)'."
