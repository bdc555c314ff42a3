#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# What action.yml runs: starts the driver if it is told how, judges it, and adds the report to the step's summary.
# Its inputs are variables: TIER, PROFILE, ENDPOINT, NODE_ENDPOINTS (one a line), START, START_WITHIN (seconds), KUBERNETES,
# LAYOUT, EXPECTED, ARGS, REPORT_DIR, CSI_TOPO, the program, and SOURCE, a checkout that the cluster tier builds images from. Its exit
# status is that of csi-topo.
set -euo pipefail

refuse() {
	echo "csi-topo action: $1" >&2
	exit 2
}

# listens reports whether anything is listening at an endpoint.
listens() {
	local at=${1#unix://}
	case $at in
	/*) [ -S "$at" ] ;;
	*) (exec 3<>"/dev/tcp/${at%:*}/${at##*:}") 2>/dev/null ;;
	esac
}

# only TIER NAME... wants these inputs to be empty but in that tier.
only() {
	local tier=$1 name
	shift
	for name; do
		if [ "$TIER" != "$tier" ] && [ -n "${!name:-}" ]; then
			name=${name,,}
			refuse "the input ${name//_/-} is for the tier $tier, and the tier is $TIER: leave one of them out"
		fi
	done
}

TIER=${TIER:-spec}
START_WITHIN=${START_WITHIN:-600}
REPORT_DIR=${REPORT_DIR:-_report}
csi_topo=${CSI_TOPO:-csi-topo}
case $TIER in
spec | cluster) ;;
*) refuse "the input tier is spec or cluster, found '$TIER'" ;;
esac
case $START_WITHIN in
*[!0-9]*) refuse "the input start-within is a whole number of seconds, such as 120, found '$START_WITHIN'" ;;
esac
only spec ENDPOINT NODE_ENDPOINTS START
only cluster KUBERNETES LAYOUT
if [ "$TIER" = spec ] && [ -z "${ENDPOINT:-}${PROFILE:-}" ]; then
	refuse "the tier spec wants the input endpoint, or a profile with endpoints: without one it would judge csi-topo's own driver"
fi

mkdir -p "$REPORT_DIR"
rm -f "$REPORT_DIR/report.yaml" # of a step before, which the summary has already
if [ "$TIER" = cluster ] && [ -n "${SOURCE:-}" ]; then
	[ -z "${PROFILE:-}" ] || PROFILE=$(realpath "$PROFILE")
	[ -z "${EXPECTED:-}" ] || EXPECTED=$(realpath "$EXPECTED")
	REPORT_DIR=$(realpath "$REPORT_DIR")
	cd "$SOURCE"
fi
flags=("$TIER" --report-dir "$REPORT_DIR")
[ -z "${PROFILE:-}" ] || flags+=(--profile "$PROFILE")
[ -z "${ENDPOINT:-}" ] || flags+=(--endpoint "$ENDPOINT")
while read -r endpoint; do
	[ -z "$endpoint" ] || flags+=(--node-endpoint "$endpoint")
done <<<"${NODE_ENDPOINTS:-}"
[ -z "${KUBERNETES:-}" ] || flags+=(--kubernetes "$KUBERNETES")
[ -z "${LAYOUT:-}" ] || flags+=(--layout "$LAYOUT")
[ -z "${EXPECTED:-}" ] || flags+=(--expected "$EXPECTED")
# Quoted as on a command line.
while read -r word; do flags+=("$word"); done < <(xargs -r -n 1 printf '%s\n' <<<"${ARGS:-}")

if [ -n "${START:-}" ]; then
	set -m # gives the driver a process group of its own, with all that it starts
	bash -c "$START" >"$REPORT_DIR/driver.log" 2>&1 &
	driver=$!
	set +m
	trap 'kill -- -"$driver" 2>/dev/null || true; wait "$driver" 2>/dev/null || true' EXIT
	for endpoint in ${ENDPOINT:-} ${NODE_ENDPOINTS:-}; do
		while ! listens "$endpoint"; do
			if ! kill -0 "$driver" 2>/dev/null; then
				tail -n 20 "$REPORT_DIR/driver.log" >&2
				refuse "the command of the input start ended before it listened at $endpoint; these are the last lines of $REPORT_DIR/driver.log"
			fi
			if [ "$SECONDS" -ge "$START_WITHIN" ]; then
				tail -n 20 "$REPORT_DIR/driver.log" >&2
				refuse "nothing was listening at $endpoint within $START_WITHIN seconds of the command of the input start; these are the last lines of $REPORT_DIR/driver.log"
			fi
			sleep 0.2
		done
	done
fi

status=0
"$csi_topo" "${flags[@]}" || status=$?

if [ -n "${driver:-}" ] && ! kill -0 "$driver" 2>/dev/null; then
	tail -n 20 "$REPORT_DIR/driver.log" >&2
	echo "csi-topo action: the command of the input start ended during the run; these are the last lines of $REPORT_DIR/driver.log" >&2
fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -s "$REPORT_DIR/report.yaml" ]; then
	"$csi_topo" report markdown "$REPORT_DIR/report.yaml" >>"$GITHUB_STEP_SUMMARY"
fi
exit "$status"
