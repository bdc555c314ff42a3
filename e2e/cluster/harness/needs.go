// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Need is one thing that a case requires of the driver, its profile, the cluster or the run.
type Need = suite.Need[*Scenario]

// Needs joins what the constructors of needs return, each of which may imply others:
//
//	Needs: harness.Needs(harness.Zones(2), harness.Recorder()),
func Needs(of ...[]Need) []Need { return suite.Needs(of...) }

const (
	slowLabel  = "slow"
	apartLabel = "apart"
)

// Slow says that the case takes minutes, so that it runs only where slow cases are asked for, and may take three times as
// long as others.
func Slow() []Need {
	return []Need{{Label: slowLabel, By: suite.ByFilter, Missing: func(_ context.Context, s *Scenario) string {
		return lacking(s.Target.Slow, "takes minutes, and the run leaves such cases out: --slow has them run")
	}}}
}

// Apart says that the case looks at all that the driver holds: nobody else may take room where it does. It has a pool of the
// profile, or runs alone where the profile has none.
func Apart() []Need { return []Need{{Label: apartLabel}} }

// Alone says that the case cannot be judged while others run, for a reason that no other need has: it disturbs nodes or
// sidecars, or counts on a provisioner that does nothing else.
func Alone() []Need { return []Need{{Alone: true}} }

// apart reports whether nobody else may take room where the case does: it is counted or taken away.
func apart(c Case) bool { return hasNeed(c, apartLabel) }

// alone reports whether no other case may run beside this one, on a target with or without pools.
func alone(c Case, pools bool) bool { return c.Alone() || apart(c) && !pools }

// limit is how long the case may take, where others may take so long.
func limit(c Case, others time.Duration) time.Duration {
	const slower = 3
	if hasNeed(c, slowLabel) {
		return slower * others
	}
	return others
}

func hasNeed(c Case, label string) bool {
	return slices.ContainsFunc(c.Needs, func(n Need) bool { return n.Label == label })
}

// lacking returns what to say of a need: nothing where it is met.
func lacking(met bool, format string, args ...any) string {
	if met {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// ofProfile is a need that the target's profile meets, or not.
func ofProfile(label string, met func(*Target) bool, missing string) Need {
	return Need{Label: label, By: suite.ByProfile, Missing: func(_ context.Context, s *Scenario) string {
		return lacking(met(s.Target), "%s", missing)
	}}
}
