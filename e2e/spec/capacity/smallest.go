// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// smallestVolume returns the cases about minimum_volume_size, which is tested at its limit.
func smallestVolume() []harness.Case {
	return []harness.Case{capacityMinimumCanBeHad(), capacityLessThanMinimum(), capacityMinimumIsTold()}
}

// forEachMinimum calls do with the minimum_volume_size in bytes of each kind of volume, and a request for such a volume.
// If GetCapacity returns none the case is skipped.
func forEachMinimum(ctx context.Context, driver *harness.Driver, do func(x int, minimum int64, request *csi.CreateVolumeRequest)) {
	told := 0
	for _, x := range kinds(driver) {
		if minimum := mustGet(ctx, driver, requestFor(driver, x, driver.Z2)).GetMinimumVolumeSize().GetValue(); minimum > 0 {
			told++
			do(x, minimum, driver.CreateVolumeRequest(volumeIn(driver, x, driver.Z2)))
		}
	}
	if told == 0 {
		suite.Skip(suite.ByCapability, "GetCapacity returns no minimum_volume_size, which is OPTIONAL")
	}
}

func capacityMinimumCanBeHad() harness.Case {
	return harness.Case{
		ID:           "capacity_minimum_can_be_had",
		Text:         "creates volumes of minimum_volume_size",
		Requirements: []string{"CAP-20", "CAP-21", "CAP-22", "CR-05"},
		Needs:        harness.Needs(harness.Volumes(2), harness.TrackedCapacity()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			forEachMinimum(ctx, driver, func(x int, minimum int64, request *csi.CreateVolumeRequest) {
				request.CapacityRange = &csi.CapacityRange{LimitBytes: minimum}

				response, err := driver.Controller.CreateVolume(ctx, request)

				if choosesNoOthers(ctx, x, status.Code(err)) {
					return
				}
				if code := status.Code(err); code == codes.OutOfRange || code == codes.InvalidArgument {
					harness.ExpectOK("CAP-20", err, fmt.Sprintf("minimum_volume_size is %d, and a volume with that limit_bytes can be created", minimum))
				}
				has := harness.NeedOK(response, err).GetVolume().GetCapacityBytes()
				suite.Must("CR-05", has <= minimum, "CreateVolume of limit_bytes %d answered capacity_bytes %d", minimum, has)
			})
		},
	}
}

func capacityLessThanMinimum() harness.Case {
	return harness.Case{
		ID:           "capacity_less_than_minimum",
		Text:         "returns OUT_OF_RANGE for limit_bytes one byte below minimum_volume_size",
		Requirements: []string{"CAP-20", "CAP-21", "CREATE-11", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Volumes(1), harness.TrackedCapacity()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			forEachMinimum(ctx, driver, func(x int, minimum int64, request *csi.CreateVolumeRequest) {
				if minimum == 1 {
					return // limit_bytes 0 would be no limit
				}
				request.CapacityRange = &csi.CapacityRange{LimitBytes: minimum - 1}

				_, err := driver.Controller.CreateVolume(ctx, request)

				if choosesNoOthers(ctx, x, status.Code(err)) {
					return
				}
				suite.Must("CAP-20", err != nil, "minimum_volume_size is %d, and a volume with limit_bytes %d was created: that is not the smallest", minimum, minimum-1)
				harness.ExpectRefused(ctx, "CREATE-11", err, fmt.Sprintf("minimum_volume_size is %d, and limit_bytes %d is less: OUT_OF_RANGE", minimum, minimum-1), codes.OutOfRange)
			})
		},
	}
}

// capacityMinimumIsTold requests a volume of one byte if no minimum_volume_size is returned.
func capacityMinimumIsTold() harness.Case {
	return harness.Case{
		ID:           "capacity_minimum_is_told",
		Text:         "should return minimum_volume_size if there is one, and leave it unset otherwise",
		Requirements: []string{"CAP-22", "CAP-24"},
		Needs:        harness.Needs(harness.Volumes(1), harness.TrackedCapacity()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			minimum := mustGet(ctx, driver, driver.Room.Request(driver.Z2)).GetMinimumVolumeSize()
			if minimum != nil {
				suite.Should(ctx, "CAP-24", minimum.GetValue() != 0, "minimum_volume_size is 0, which is not a minimum: leave it unset")
				return
			}
			request := driver.CreateVolumeRequest(volumeIn(driver, 1, driver.Z2))
			request.CapacityRange = &csi.CapacityRange{LimitBytes: 1}
			_, err := driver.Controller.CreateVolume(ctx, request)
			suite.Should(ctx, "CAP-24", status.Code(err) != codes.OutOfRange, "a volume of one byte is OUT_OF_RANGE: there is a minimum size, which minimum_volume_size should report")
		},
	}
}
