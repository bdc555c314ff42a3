// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"time"

	"github.com/spf13/pflag"

	"github.com/csi-topo/csi-topo/e2e/profile"
)

// timeoutScale multiplies every time limit of a run.
type timeoutScale float64

func (s *timeoutScale) addTo(flags *pflag.FlagSet) {
	flags.Float64Var((*float64)(s), "timeout-scale", 1, "multiply every time limit, including those of the profile and of other flags, by this `factor`: more than 1 for a slow machine or back end")
}

func (s timeoutScale) check() error {
	if s <= 0 || math.IsInf(float64(s), 0) || math.IsNaN(float64(s)) {
		return fmt.Errorf("--timeout-scale is %v: want a factor above 0, such as 3", float64(s))
	}
	return nil
}

// addTimeoutFlags adds a flag for each field of the profile's timeouts, which the flag overrides.
func addTimeoutFlags(flags *pflag.FlagSet, timeouts *profile.Timeouts) {
	defaults := profile.DefaultTimeouts()
	for _, flag := range []struct {
		name, usage string
		value       *time.Duration
		otherwise   time.Duration
	}{
		{"timeout-provision", "how long a call that changes something may take, including retries", &timeouts.Provision, defaults.Provision},
		{"timeout-query", "how long a call that only reads may take, including retries", &timeouts.Query, defaults.Query},
		{"timeout-refusal", "how long to repeat a call that the driver should refuse, if it answers with a code that asks for a retry", &timeouts.Refusal, defaults.Refusal},
		{"timeout-snapshot-ready", "how long a snapshot may take until it is ready to use", &timeouts.SnapshotReady, defaults.SnapshotReady},
		{"timeout-settle", "how long capacity and lists may take to show a change", &timeouts.Settle, defaults.Settle},
		{"timeout-cleanup", "how long the clean-up after one case may take", &timeouts.Cleanup, defaults.Cleanup},
		{"timeout-restart", "how long the driver may take to answer again after its process ended, and to be ready when the run begins", &timeouts.Restart, defaults.Restart},
		{"timeout-generated", "how long the case of generated requests, and each case combinations_*, may take", &timeouts.Generated, defaults.Generated},
	} {
		flags.DurationVar(flag.value, flag.name, 0, fmt.Sprintf("%s (default the profile's, or %s)", flag.usage, flag.otherwise))
	}
}
