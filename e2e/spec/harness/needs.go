// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Need is one thing that a case requires of the driver, its profile or the environment.
type Need = suite.Need[*Driver]

// Needs joins the results of the constructors of needs, each of which may imply others.
func Needs(of ...[]Need) []Need {
	return suite.Needs(of...)
}

// need returns a need with the function that describes the missing feature.
func need(label string, by suite.DecidedBy, missing func(d *Driver) string) []Need {
	return []Need{{Label: label, By: by, Missing: func(_ context.Context, d *Driver) string { return missing(d) }}}
}

// unless returns the sentence, or nothing if what it reports as missing is there.
func unless(there bool, format string, args ...any) string {
	if there {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// Meet skips the case if one of the needs is missing, for needs that a case only learns of while it
// runs.
func Meet(ctx context.Context, d *Driver, needs []Need) {
	Case{Needs: needs}.Meet(ctx, d)
}

// Alone needs that no other case runs concurrently: the case looks at the driver as a whole.
func Alone() []Need {
	return []Need{{Label: "alone", Alone: true}}
}

// Mutable needs mutable parameters in the profile, which the case changes.
func Mutable() []Need {
	return need("mutable-parameters", suite.ByProfile, func(d *Driver) string {
		return unless(len(d.Profile().MutableParameters) > 0, "the profile names no mutable parameters")
	})
}

// Restart needs a way to restart the driver. No other case may run concurrently.
func Restart() []Need {
	return Needs(Alone(), need("restart", suite.ByProfile, func(d *Driver) string {
		return unless(d.Target.Restart != nil, "the profile has no restart: name a program that ends the driver's processes as SIGKILL does and starts them again, so that the case can check whether earlier answers still hold")
	}))
}
