// SPDX-License-Identifier: Apache-2.0

// Package needs declares the requirements of cases on the driver, its profile, the cluster and the run.
package needs

import (
	"context"
	"fmt"
	"slices"

	"github.com/csi-topo/csi-topo/e2e/cluster/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// All joins the results of the constructors of needs, each of which may imply others:
//
//	Needs: needs.All(needs.Zones(2), needs.Recorder()),
func All(of ...[]harness.Need) []harness.Need { return suite.Needs(of...) }

// Slow declares that the case takes minutes, so it runs only if slow cases are requested, and has three times the usual
// time limit.
func Slow() []harness.Need {
	return []harness.Need{{Label: harness.SlowLabel, By: suite.ByFilter, Missing: func(_ context.Context, s *harness.Scenario) string {
		return lacking(s.Target.Slow, "takes minutes, and the run leaves such cases out: --slow runs them")
	}}}
}

// Apart declares that the case checks all volumes of the driver: no other case may use the same room. It gets a pool of the
// profile, or runs alone if the profile has none.
func Apart() []harness.Need { return []harness.Need{{Label: harness.ApartLabel}} }

// Alone declares that the case must run alone, for a reason that no other need covers: it disturbs nodes or sidecars, or
// relies on an otherwise idle provisioner.
func Alone() []harness.Need { return []harness.Need{{Alone: true}} }

// Met reports whether all of the needs are met. A case calls it before a part that it can leave out.
func Met(ctx context.Context, s *harness.Scenario, needs []harness.Need) bool {
	return !slices.ContainsFunc(needs, func(n harness.Need) bool { return n.Missing != nil && n.Missing(ctx, s) != "" })
}

// lacking returns the message for a need that is not met, and "" if it is met.
func lacking(met bool, format string, args ...any) string {
	if met {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// ofProfile returns a need that the target's profile meets or does not.
func ofProfile(label string, met func(*harness.Target) bool, missing string) harness.Need {
	return harness.Need{Label: label, By: suite.ByProfile, Missing: func(_ context.Context, s *harness.Scenario) string {
		return lacking(met(s.Target), "%s", missing)
	}}
}
