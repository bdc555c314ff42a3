#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Runs the commands of docs/ten-minutes.md, all of them and as they are, on a kind cluster of their own, and fails if one
# prints anything else than the page says, where an ellipsis stands for any text.
#
# The commit that is checked out is taken for the release that the page names: git clones it instead, and the nodes have
# the image of its driver. Where no registry answers, or with IMAGES=build, the node image, the sidecars and busybox are
# those that csi-topo builds, and the driver itself does what the two published images do that are not built among them.
#   IMAGES=auto
set -euo pipefail
cd "$(dirname "$0")/.."

page=docs/ten-minutes.md
cluster=ten-minutes
release=$(sed -n 's/^ *newTag: //p' fixtures/driver/standalone/kustomization.yaml)
driver=$(sed -n 's/^ *newName: //p' fixtures/driver/standalone/kustomization.yaml):$release
busybox=$(sed -n 's/^ *image: //p' "$page")

scratch=$(mktemp -d)
export PATH=$scratch/bin:$PATH KUBECONFIG=$scratch/kubeconfig KIND_IMAGES=$scratch/images
created=
exec 3>&1
finish() {
	local status=$?
	trap - EXIT
	set +e
	exec >&3 2>&3 # an interrupted command's output goes to a file
	if [ "$status" -ne 0 ] && [ -e "$scratch/output" ]; then cat "$scratch/output"; fi
	if [ "$status" -ne 0 ] && [ -e "$KUBECONFIG" ]; then
		kubectl get pods --all-namespaces --output wide
		kubectl get events --all-namespaces --field-selector type=Warning
		kubectl logs --namespace hostpath-topo --selector app.kubernetes.io/name=hostpath-topo --container hostpath-topo --tail 5
	fi
	[ -z "$created" ] || kind delete cluster --name "$cluster" || status=1
	rm -rf "$scratch"
	exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

mkdir "$scratch/bin" "$scratch/images" "$scratch/work"
go build -o "$scratch/bin/kind" ./scripts/kind
if kind get clusters --quiet | grep -qx "$cluster"; then
	echo "ten-minutes: there is a kind cluster $cluster already: delete it, with kind delete cluster --name $cluster" >&2
	exit 1
fi
IMAGES=${IMAGES:-auto} kind prepare "$KIND_IMAGES" "$driver" "$busybox"

git clone --quiet . "$scratch/release"
if [ -e "$KIND_IMAGES/node" ]; then
	sed -i 's,components/published-sidecars,components/self-served,' "$scratch/release/fixtures/driver/standalone/kustomization.yaml"
	git -C "$scratch/release" -c user.name="$cluster" -c user.email= commit --quiet --all --message 'Pull no published sidecars'
fi
git -C "$scratch/release" tag --force "$release" >/dev/null
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=url.file://$scratch/release.insteadOf GIT_CONFIG_VALUE_0=https://github.com/csi-topo/csi-topo

# kubectl is built with a node image.
command -v kubectl >/dev/null ||
	PATH=$PATH:$(find "${XDG_CACHE_HOME:-$HOME/.cache}/csi-topo/programs" -name kubectl -printf '%T@ %h\n' | sort -n | tail -n 1 | cut -d ' ' -f 2)

# Each sh block of the page becomes a file N.sh, and the text block that follows it N.txt.
awk -v dir="$scratch" '
	/^```sh$/ { file = sprintf("%s/%03d.sh", dir, ++n); next }
	/^```text$/ { file = sprintf("%s/%03d.txt", dir, n); next }
	/^```/ { file = ""; next }
	file { print >file }' "$page"

# as_pattern prints a text as a pattern of bash, in which an ellipsis is any text, and a line of its own any lines or none.
as_pattern() { sed 's/[][*?\\()|!@+]/\\&/g; s/…/*/g' "$1" | sed -z 's/\(^\|\n\)\*\n/\1*/g'; }

cd "$scratch/work"
created=yes # as soon as kind begins
for block in "$scratch"/*.sh; do
	sed 's/^/$ /' "$block"
	# In this shell, as cd lasts from block to block.
	# shellcheck disable=SC1090
	source "$block" >"$scratch/output" 2>&1
	cat "$scratch/output"
	text=${block%.sh}.txt
	[ -e "$text" ] || continue
	pattern=$(as_pattern "$text")
	# shellcheck disable=SC2053
	if [[ $(<"$scratch/output") != $pattern ]]; then
		printf 'ten-minutes: that is not what %s says:\n' "$page" >&2
		mv "$text" "$scratch/output"
		exit 1
	fi
done
created= # the page has deleted it
echo "ten-minutes: all commands of $page, in ${SECONDS}s"
