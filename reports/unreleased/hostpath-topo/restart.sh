#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0

# restart.sh DIRECTORY kills the driver that serve.sh serves there, which starts it again.
set -euo pipefail

cat "$1"/*.pid | xargs kill -KILL
