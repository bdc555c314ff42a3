// SPDX-License-Identifier: Apache-2.0

package secrets

import (
	"context"
	"maps"
	"regexp"
	"slices"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// keyOfSecret matches valid keys of secrets.
var keyOfSecret = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// shared returns the case about secrets that a CO passes to all calls, as it may.
func shared() harness.Case {
	return harness.Case{
		ID:           "secrets_of_other_calls",
		Text:         "accepts calls that carry the secrets of all calls, whose keys consist of letters, digits, '-', '_' and '.'",
		Requirements: []string{"SEC-01", "SEC-05"},
		Needs:        harness.Needs(controller(), harness.Volumes(2)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			all, several := merged(driver.Profile().Secrets)
			if len(all) == 0 {
				suite.Skip(suite.ByProfile, noSecrets)
			}
			for _, key := range slices.Sorted(maps.Keys(all)) {
				suite.Must("SEC-01", keyOfSecret.MatchString(key), "the key of a secret consists of letters, digits, '-', '_' and '.'\nthe profile has the key %q", key)
			}
			suite.Should(ctx, "SEC-05", len(several) == 0, "a CO may pass the same secrets to all calls, and the profile has several values for one key: %v", several)
			if len(several) > 0 {
				return
			}
			mask := harness.MaskOf(driver.Profile())
			for _, c := range calls() {
				if !slices.Contains([]string{"CreateVolume", "DeleteVolume"}, c.rpc) || len(c.right(driver.Profile().Secrets)) == 0 {
					continue
				}
				own := c.prepare(ctx, driver)(ctx, c.right(driver.Profile().Secrets))
				harness.NeedOK(c.rpc, own)
				err := c.prepare(ctx, driver)(ctx, all)
				if status.Code(err) == codes.ResourceExhausted {
					suite.Skip(suite.ByEnvironment, "there is no room or quota for another volume: %s", mask.Text(describe.Status(err)))
				}
				suite.Must("SEC-05", err == nil, "a CO may pass the same secrets to all calls: secrets for other calls are ignored\n%s with its own secrets was OK, and with the secrets of all calls, which have the keys %v: %s",
					c.rpc, slices.Sorted(maps.Keys(all)), mask.Text(describe.Status(err)))
			}
		},
	}
}

// merged returns the secrets of all calls, and the keys that have several values.
func merged(of profile.Secrets) (all map[string]string, several []string) {
	all = map[string]string{}
	for _, c := range calls() {
		for key, value := range c.right(of) {
			if known, found := all[key]; found && known != value && !slices.Contains(several, key) {
				several = append(several, key)
			}
			all[key] = value
		}
	}
	slices.Sort(several)
	return all, several
}
