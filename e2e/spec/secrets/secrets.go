// SPDX-License-Identifier: Apache-2.0

// Package secrets contains the spec tier's cases about wrong secrets, and about calls that are repeated with other secrets.
package secrets

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Areas returns the cases of this package.
func Areas() []harness.Area {
	cases := append([]harness.Case{contexts(), shared()}, repeated()...)
	for _, c := range calls() {
		cases = append(cases, c.wrong())
	}
	return []harness.Area{{Name: "wrong secrets", Cases: cases}}
}

// noSecrets is the reason of all cases that are skipped.
const noSecrets = "the profile has no secrets for the call"

// call is a call that has secrets.
type call struct {
	rpc   string
	needs []harness.Need
	// right holds the secrets of the profile for it.
	right func(profile.Secrets) map[string]string
	// prepare creates the objects that the call is about, and returns the call.
	prepare func(ctx context.Context, driver *harness.Driver) func(ctx context.Context, secrets map[string]string) error
}

// wrong returns the case that makes the call with secrets that are not the profile's, one field after the other: some fields
// are not credentials, such as the address of the storage, and a single wrong one may keep a driver from authenticating at
// all. The specification does not say what secrets are for: a driver that has no use for them accepts any, and the
// passphrase of an encrypted volume does not authenticate anyone. So everything but a status without a message is only a
// warning.
func (c call) wrong() harness.Case {
	return harness.Case{
		ID:           "secrets_" + snake(c.rpc),
		Text:         fmt.Sprintf("returns UNAUTHENTICATED or PERMISSION_DENIED for %s with wrong secrets", c.rpc),
		Requirements: []string{"GEN-15", "GEN-16", "GEN-17", "GEN-18", "GEN-20"},
		Needs:        c.needs,
		Run: func(ctx context.Context, driver *harness.Driver) {
			right := c.right(driver.Profile().Secrets)
			if len(right) == 0 {
				suite.Skip(suite.ByProfile, noSecrets)
			}
			mask := harness.MaskOf(driver.Profile())
			perform := c.prepare(ctx, driver)
			var answers []string
			refused, authenticates := false, false
			suite.Each(slices.Sorted(maps.Keys(right)), func(field string) {
				wrong := maps.Clone(right)
				wrong[field] += "-csi-topo-wrong"

				err := perform(attempt.Once(ctx, codes.Unavailable, codes.DeadlineExceeded), wrong)

				answers = append(answers, fmt.Sprintf("%s: %s", field, describe.Status(err)))
				suite.Should(ctx, "GEN-20", mask.Text(describe.Status(err)) == describe.Status(err),
					"%s with another value of the secret %s failed\ngot: %s\nThis message repeats a secret: Kubernetes puts it into an event, which more users may read than the Secret. Leave the values of secrets out of messages",
					c.rpc, field, describe.Status(err))
				if err == nil {
					// A call that has taken effect already would be OK with any secret.
					if left := driver.StartOver(ctx); left != nil {
						suite.CouldNotTell("%s with another value of the secret %s was answered OK, and what it did could not be undone: %v", c.rpc, field, left)
					}
					perform = c.prepare(ctx, driver)
				}
				harness.ExpectOKOrRefused(ctx, "GEN-18", err, fmt.Sprintf("%s with another value of the secret %s failed", c.rpc, field))
				code := status.Code(err)
				refused = refused || err != nil
				authenticates = authenticates || code == codes.Unauthenticated || code == codes.PermissionDenied
			})
			switch {
			case authenticates:
			case !refused:
				suite.Warn(ctx, "GEN-18", "%s with wrong secrets was answered OK", c.rpc)
			default:
				suite.WarnAbout(ctx, []string{"GEN-17", "GEN-18"}, "%s with wrong secrets is UNAUTHENTICATED, or PERMISSION_DENIED if they belong to someone else; with one field wrong at a time, it answered\n%s",
					c.rpc, describe.Lines(answers))
			}
		},
	}
}

// snake converts the name of an RPC to the form of case ids.
func snake(rpc string) string {
	var b strings.Builder
	for i, r := range rpc {
		if i > 0 && r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}

// volumeFor creates a volume for the first node, or anywhere without nodes.
func volumeFor(ctx context.Context, driver *harness.Driver) *csi.Volume {
	if len(driver.Nodes) == 0 {
		return driver.NeedVolume(ctx, driver.Volume(1))
	}
	return driver.NeedVolume(ctx, driver.VolumeFor(driver.Nodes[0]))
}
