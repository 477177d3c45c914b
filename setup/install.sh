#!/bin/sh
# Installs the haversack of the release that `pinned`, beside this file, names: the program for this system is
# fetched, compared with its sum, and put on the PATH of the steps that follow. What the tool cache holds
# already is compared again and not fetched.
#
# From the environment: RUNNER_OS, RUNNER_ARCH, RUNNER_TOOL_CACHE, RUNNER_TEMP, GITHUB_PATH and GITHUB_OUTPUT as a runner sets them;
# HAVERSACK_MIRROR, HAVERSACK_ATTESTATION and GH_TOKEN as action.yml describes them.
set -eu

repository=haversack-dev/haversack
here=$(dirname "$0")

fail() {
	echo "::error::haversack setup: $*" >&2
	exit 1
}

version=$(sed -n 's/^version \(v[0-9][0-9.]*\)$/\1/p' "$here/pinned")
[ -n "$version" ] || fail "this commit belongs to no release and names no checksum: pin the commit of a release"

case ${RUNNER_OS:-$(uname -s)} in
Linux) system=linux suffix='' ;;
macOS | Darwin) system=darwin suffix='' ;;
Windows | MINGW* | MSYS*) system=windows suffix=.exe ;;
*) fail "no program is built for ${RUNNER_OS:-$(uname -s)}: linux, darwin and windows are" ;;
esac
case ${RUNNER_ARCH:-$(uname -m)} in
X64 | x86_64) architecture=amd64 ;;
ARM64 | aarch64 | arm64) architecture=arm64 ;;
*) fail "no program is built for ${RUNNER_ARCH:-$(uname -m)}: amd64 and arm64 are" ;;
esac
file=haversack_${version#v}_${system}_$architecture$suffix
sum=$(sed -n "s/^\([0-9a-f]\{64\}\)  $file\$/\1/p" "$here/pinned")
[ -n "$sum" ] || fail "pinned has no sum of $file"

sum_of() {
	if command -v sha256sum >/dev/null; then
		sha256sum <"$1" | cut -c 1-64
	else
		shasum -a 256 <"$1" | cut -c 1-64
	fi
}

mirror=${HAVERSACK_MIRROR:-}
case $mirror in
'' | https://*) ;;
http://127.0.0.1:* | http://localhost:* | 'http://[::1]:'*) ;;
*) fail "input mirror: an https address is wanted, or http on loopback" ;;
esac
attestation=${HAVERSACK_ATTESTATION:-auto}
case $attestation in
auto | always | never) ;;
*) fail "input attestation: auto, always or never is wanted" ;;
esac

folder=${RUNNER_TOOL_CACHE:-${RUNNER_TEMP:-${TMPDIR:-/tmp}}}/haversack/${version#v}/$architecture
program=$folder/haversack$suffix
if [ -f "$program" ] && [ "$(sum_of "$program")" = "$sum" ]; then
	echo "haversack $version is in the tool cache"
else
	mkdir -p "$folder"
	# A name of its own, and one rename at the end: two jobs of one runner may stand here at once.
	part=$(mktemp "$folder/.part.XXXXXX")
	trap 'rm -f "$part"' EXIT
	from=${mirror:-https://github.com/$repository/releases/download/$version}
	# The limits end a server that sends nothing, or without end.
	curl --fail --silent --show-error --location --proto '=https,http' --proto-redir '=https' --retry 3 \
		--max-time 300 --max-filesize 209715200 --output "$part" "${from%/}/$file" ||
		fail "fetching $file from ${from%/} failed (curl ended with $?): let this runner reach that host, or give the input mirror"
	got=$(sum_of "$part")
	[ "$got" = "$sum" ] || fail "$file has the sum $got, and this commit names $sum: nothing was installed"
	can=no
	if [ -n "${GH_TOKEN:-}" ] && command -v gh >/dev/null && gh attestation --help >/dev/null 2>&1; then can=yes; fi
	if [ "$attestation" = always ] && [ "$can" = no ]; then
		fail "input attestation: always: gh with the command attestation, and a token, are wanted on this runner"
	fi
	if [ "$attestation" = always ] || { [ "$attestation" = auto ] && [ "$can" = yes ] && [ -z "$mirror" ]; }; then
		gh attestation verify "$part" --repo "$repository" >/dev/null ||
			fail "gh does not attest that $file was built by $repository: nothing was installed"
		echo "gh attests that $file was built by $repository"
	fi
	chmod 755 "$part"
	mv -f "$part" "$program"
	echo "haversack $version is installed"
fi

if [ "$system" = windows ] && command -v cygpath >/dev/null; then folder=$(cygpath -w "$folder"); fi
[ -z "${GITHUB_PATH:-}" ] || printf '%s\n' "$folder" >>"$GITHUB_PATH"
[ -z "${GITHUB_OUTPUT:-}" ] || printf 'version=%s\npath=%s\n' "$version" "$folder" >>"$GITHUB_OUTPUT"
