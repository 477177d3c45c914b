#!/usr/bin/env bash
# Runs the repository's context workflow on a desk, with act (v0.2.89) and Docker. The artifact is left in ./artifacts.
#
#   act.sh [WORKFLOW]      .github/workflows/context.yml when none is named
#
# act knows no pull requests: the event is made here, from the branch that is checked out and its merge base with origin's
# default branch. The change that is packed is what would stand in the pull request.
set -euo pipefail

workflow=${1:-.github/workflows/context.yml}
head=$(git rev-parse HEAD)
default=$(git rev-parse --abbrev-ref origin/HEAD)
base=$(git merge-base "$default" HEAD)
event=$(mktemp)
trap 'rm -f "$event"' EXIT
cat >"$event" <<EOF
{"action": "synchronize", "number": 1, "pull_request": {"number": 1,
 "head": {"sha": "$head", "ref": "$(git branch --show-current)"},
 "base": {"sha": "$base", "ref": "${default#origin/}"}}}
EOF
act pull_request --workflows "$workflow" --eventpath "$event" --artifact-server-path "$PWD/artifacts"
