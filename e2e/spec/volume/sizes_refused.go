// SPDX-License-Identifier: Apache-2.0

package volume

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// sizeMistakes returns the cases about a capacity_range that a CO must not send. It is an invalid value, and a range
// that no driver allows: either code is right. A driver that ignores it hides the mistake.
func sizeMistakes() []harness.Case {
	var cases []harness.Case
	for _, mistake := range []struct {
		id, text     string
		requirements []string
		asked        func(size int64) []*csi.CapacityRange
	}{
		{
			"size_empty_range", "an empty capacity_range", []string{"CR-02", "GEN-11"},
			func(int64) []*csi.CapacityRange { return []*csi.CapacityRange{{}} },
		},
		{
			"size_negative_required", "negative required_bytes", []string{"CR-04", "GEN-12"},
			func(size int64) []*csi.CapacityRange { return []*csi.CapacityRange{{RequiredBytes: -size}} },
		},
		{
			"size_negative_limit", "negative limit_bytes", []string{"CR-06", "GEN-12"},
			func(size int64) []*csi.CapacityRange {
				return []*csi.CapacityRange{{RequiredBytes: size, LimitBytes: -size}}
			},
		},
		{
			"size_limit_below_required", "limit_bytes below required_bytes", []string{"CR-03", "GEN-12", "CR-05"},
			// A driver that compares sizes as texts considers the limit with fewer digits the larger one.
			func(size int64) []*csi.CapacityRange {
				return []*csi.CapacityRange{{RequiredBytes: size, LimitBytes: size - 1}, {RequiredBytes: size, LimitBytes: powerOfTen(size) - 1}}
			},
		},
	} {
		cases = append(cases, harness.Case{
			ID:           mistake.id,
			Text:         "returns INVALID_ARGUMENT or OUT_OF_RANGE for " + mistake.text,
			Requirements: slices.Concat(mistake.requirements, []string{"CREATE-01", "CREATE-02", "CREATE-11", "GEN-15", "GEN-16"}),
			Needs:        harness.Volumes(1),
			Run: func(ctx context.Context, driver *harness.Driver) {
				suite.Each(mistake.asked(driver.Size()), func(asked *csi.CapacityRange) {
					expectMistakeRefused(ctx, driver, asked, mistake.requirements[0], mistake.requirements[1])
				})
			},
		})
	}
	return cases
}

// powerOfTen returns the largest power of ten up to the size: one less has fewer digits, each of them 9, and ten times
// as much has more, the first of them 1.
func powerOfTen(size int64) int64 {
	power := int64(1)
	for power <= size/10 {
		power *= 10
	}
	return power
}

// expectMistakeRefused judges the answer to a range that a CO must not send. ignored is the clause of the warning if
// the call succeeds, and refused the clause of the warning if the code is wrong.
func expectMistakeRefused(ctx context.Context, driver *harness.Driver, asked *csi.CapacityRange, ignored, refused string) {
	request := creation(driver)
	request.CapacityRange = asked
	var volume *csi.Volume
	left := driver.Held.Changes(ctx, func() {
		response, err := driver.Controller.CreateVolume(ctx, request)
		if volume = response.GetVolume(); err == nil {
			expectInRange(ctx, driver, volume, asked)
			deletion.Need(ctx, driver, volume)
			return
		}
		harness.ExpectInvalidRefused(ctx, refused, err, fmt.Sprintf("CreateVolume was called with %s, which is INVALID_ARGUMENT or OUT_OF_RANGE", describe.Range(asked)), codes.InvalidArgument, codes.OutOfRange)
	})
	if volume != nil {
		suite.Warn(ctx, ignored, "CreateVolume was called with %s, and answered OK: that hides a mistake of the caller", describe.Range(asked))
		return
	}
	warnOfLeft(ctx, driver, left)
}

// sizeTooLarge requests an exbibyte, and the largest size of the protocol, where arithmetic overflows. Thin storage may
// provide either.
func sizeTooLarge() harness.Case {
	return harness.Case{
		ID:           "size_too_large",
		Text:         "should refuse a volume that is larger than any storage",
		Requirements: []string{"CV-07", "CR-03", "CREATE-01", "CREATE-02", "CREATE-09", "CREATE-11", "GEN-09", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Volumes(1), harness.Claims(csi.ControllerServiceCapability_RPC_GET_CAPACITY)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			const exbibyte = 1 << 60
			suite.Each([]int64{exbibyte, math.MaxInt64}, func(bytes int64) {
				expectTooLarge(ctx, driver, &csi.CapacityRange{RequiredBytes: bytes})
			})
		},
	}
}

// expectTooLarge judges the answer to a size that hardly any storage has. In a topology the code is RESOURCE_EXHAUSTED;
// without topology no row of the table is about lack of room, and another code is a warning.
func expectTooLarge(ctx context.Context, driver *harness.Driver, asked *csi.CapacityRange) {
	request := creation(driver)
	request.CapacityRange = asked
	why := fmt.Sprintf("CreateVolume was called with %s, which is OUT_OF_RANGE or RESOURCE_EXHAUSTED", describe.Range(asked))
	var volume *csi.Volume
	left := driver.Held.Changes(ctx, func() {
		response, err := driver.Controller.CreateVolume(ctx, request)
		switch volume = response.GetVolume(); {
		case err == nil:
			expectInRange(ctx, driver, volume, asked)
			deletion.Need(ctx, driver, volume)
		case len(driver.Segments()) > 0:
			harness.ExpectRefused(ctx, "CREATE-11", err, why, codes.OutOfRange, codes.ResourceExhausted)
		default:
			harness.ExpectRefused(ctx, "CREATE-01", err, why)
			if clauses, problem := harness.Refusal("CREATE-11", err, why, codes.OutOfRange, codes.ResourceExhausted); len(clauses) > 0 {
				suite.WarnAbout(ctx, clauses, "%s", problem)
			}
		}
	})
	if volume != nil {
		suite.Warn(ctx, "CREATE-11", "CreateVolume was called with %s, and answered OK: is that much storage available?", describe.Range(asked))
		return
	}
	warnOfLeft(ctx, driver, left)
}
