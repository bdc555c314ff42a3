#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# Runs the cluster tier on every Kubernetes minor with the default layout, and on the newest with every other layout, one
# after another, joins the reports in REPORT_DIR, and prints them side by side. Goes on after a run that fails.
#   REPORT_DIR=_report FOCUS= IMAGES=auto
set -euo pipefail
cd "$(dirname "$0")/.."

default=zones
reports=${REPORT_DIR:-_report}
mapfile -t minors < <(printf '%s\n' clusters/nodeimage/modules/kubernetes/v*.mod | sed -E 's,.*/v(.*)\.mod,\1,' | sort -V)
newest=${minors[-1]}
runs=()
for minor in "${minors[@]}"; do runs+=("$minor $default"); done
for layout in clusters/layout/*.yaml; do
	layout=$(basename "$layout" .yaml)
	[ "$layout" = "$default" ] || runs+=("$newest $layout")
done

# A run that is interrupted cleans up and exits, which by itself would only be a run that failed.
trap 'exit 130' INT
trap 'exit 143' TERM

status=0
dirs=()
for run in "${runs[@]}"; do
	read -r minor layout <<<"$run"
	dir=$reports/$minor-$layout
	rm -f "$dir/report.yaml"
	echo "== Kubernetes $minor, layout $layout"
	make e2e KUBERNETES="$minor" LAYOUT="$layout" REPORT_DIR="$dir" IMAGES="${IMAGES:-auto}" || status=$?
	dirs+=("$dir")
done
_bin/csi-topo report markdown "${dirs[@]}" | tee "$reports/matrix.md" || status=$?
_bin/csi-topo report merge "${dirs[@]}" --report-dir "$reports" || status=$?
exit "$status"
