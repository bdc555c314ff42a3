// SPDX-License-Identifier: Apache-2.0

package secrets

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// repeated returns the cases about calls that are repeated with other secrets, as after a password was changed. No list of
// the fields that make a repeated call incompatible contains secrets. A refusal with any other code than ALREADY_EXISTS may
// be due to wrong secrets.
func repeated() []harness.Case {
	clauses := map[string]string{
		"CreateVolume": "CV-02", "CreateSnapshot": "CS-03", "ControllerPublishVolume": "CP-05", "NodeStageVolume": "NS-04", "NodePublishVolume": "NS-13",
	}
	var cases []harness.Case
	for _, c := range calls() {
		clause, isRepeated := clauses[c.rpc]
		if !isRepeated {
			continue
		}
		cases = append(cases, harness.Case{
			ID:           "secrets_other_" + snake(c.rpc),
			Text:         fmt.Sprintf("does not return ALREADY_EXISTS from %s because it is repeated with other secrets", c.rpc),
			Requirements: []string{clause},
			Needs:        c.needs,
			Run: func(ctx context.Context, driver *harness.Driver) {
				c.repeat(ctx, driver, clause)
			},
		})
	}
	return cases
}

func (c call) repeat(ctx context.Context, driver *harness.Driver, clause string) {
	right, mask := c.right(driver.Profile().Secrets), harness.MaskOf(driver.Profile())
	perform := c.prepare(ctx, driver)
	harness.NeedOK(c.rpc, perform(ctx, right))
	judged := false
	for _, field := range append(slices.Sorted(maps.Keys(right)), "csi-topo-another") {
		other := maps.Clone(right)
		if other == nil {
			other = map[string]string{}
		}
		other[field] += "-csi-topo-changed"

		err := perform(attempt.Once(ctx, codes.Unavailable, codes.DeadlineExceeded), other)

		suite.Must(clause, status.Code(err) != codes.AlreadyExists, "%s was OK, and is repeated with another value of the secret %s and no other change: it is OK, or refused because of the secrets\ngot: %s",
			c.rpc, field, mask.Text(describe.Status(err)))
		judged = judged || err == nil
	}
	if !judged {
		suite.Skip(suite.ByCapability, "%s is refused with other secrets than the profile's", c.rpc)
	}
}
