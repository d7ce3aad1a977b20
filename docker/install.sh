#!/bin/sh
# What the image is made of. The Dockerfile runs nothing but this script, one step after the other.
#   install.sh packages SOURCE EXTRAS   PyTorch's CPU build, then Genderscope from its source
#   install.sh user NAME HOME           the user that runs it, who is not root and may write only to HOME
#   install.sh check                    that what was installed works
set -eu

CPU_WHEELS=https://download.pytorch.org/whl/cpu

packages() {
    pip install --no-cache-dir -c "$1/constraints.txt" --index-url "$CPU_WHEELS" torch
    pip install --no-cache-dir -c "$1/constraints.txt" "$1[$2]"
}

user() {
    useradd --uid 1000 --create-home --home-dir "$2" "$1"
}

check() {
    genderscope --version
    genderscope doctor
}

"$@"
