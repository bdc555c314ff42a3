// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"context"
	"fmt"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// healthOfVolumes returns the cases about a controller's reports of the health of volumes. No call makes a volume unhealthy:
// if all are healthy there is little to judge.
func healthOfVolumes() []harness.Case {
	return []harness.Case{
		volumeHealthOfNewVolume(), volumeHealthUnknown(), volumeHealthList(), volumeHealthListOfDeleted(),
		volumeHealthListInvalidToken(), volumeHealthListNegativeMaxEntries(),
	}
}

func volumeHealthOfNewVolume() harness.Case {
	return harness.Case{
		ID:           "volume_health_of_new_volume",
		Text:         "reports the health of a volume",
		Requirements: []string{"VH-07", "VH-08", "VH-09", "VH-12", "VH-13", "VH-14"},
		Needs:        harness.Needs(harness.Volumes(1), harness.Claims(csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			volume := driver.NeedVolume(ctx, driver.Volume(1))

			response, err := getHealth(ctx, driver, volume.GetVolumeId())

			suite.Must("VH-12", status.Code(err) != codes.Unimplemented, "GET_VOLUME_HEALTH is claimed, and ControllerGetVolumeHealth is UNIMPLEMENTED")
			health := harness.NeedOK(response, err).GetVolumeHealth()
			suite.Must("VH-14", health != nil, "ControllerGetVolumeHealth of volume %s has no volume_health, which is REQUIRED", volume.GetVolumeId())
			suite.Must("VH-07", health.GetVolumeId() == volume.GetVolumeId(), "ControllerGetVolumeHealth of volume %s answers the health of volume %q", volume.GetVolumeId(), health.GetVolumeId())
			expectWellFormed(health)
			if len(health.GetHealthStatuses()) == 0 {
				suite.Reduced(ctx, "the volume is sound: it has no health_statuses to judge")
			}
		},
	}
}

func volumeHealthUnknown() harness.Case {
	return harness.Case{
		ID:           "volume_health_unknown",
		Text:         "returns NOT_FOUND for the health of a volume that never existed, and of a deleted one",
		Requirements: []string{"VH-15", "GEN-15", "GEN-16"},
		Needs:        harness.Needs(harness.Volumes(1), harness.Claims(csi.ControllerServiceCapability_RPC_GET_VOLUME_HEALTH)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			expectNotFound(ctx, driver, "VH-15", "ControllerGetVolumeHealth", func(ctx context.Context, id string) error {
				_, err := getHealth(ctx, driver, id)
				return err
			})
		},
	}
}

// volumeHealthList checks the entries of volumes that have problems. Healthy volumes should be left out.
func volumeHealthList() harness.Case {
	return harness.Case{
		ID:           "volume_health_list",
		Text:         "lists the health of volumes, page by page",
		Requirements: []string{"VH-01", "VH-03", "VH-04", "VH-05", "VH-06", "VH-07", "VH-08", "VH-09"},
		Needs:        harness.Needs(harness.Volumes(2), harness.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			newVolumes(ctx, driver, 2)

			entries := 0
			for _, most := range []int32{0, 1} {
				for _, health := range mustListHealth(ctx, driver, most) {
					entries++
					expectWellFormed(health)
					suite.Should(ctx, "VH-04", len(health.GetHealthStatuses()) > 0, "ControllerListVolumeHealth has volume %s, with which nothing is wrong", health.GetVolumeId())
				}
			}
			if entries == 0 {
				suite.Reduced(ctx, "all volumes are sound: ControllerListVolumeHealth has no entry to judge")
			}
		},
	}
}

// volumeHealthListOfDeleted warns of a deleted volume: a driver may know one that it is deleting.
func volumeHealthListOfDeleted() harness.Case {
	return harness.Case{
		ID:           "volume_health_list_of_deleted",
		Text:         "does not list the health of a deleted volume",
		Requirements: []string{"VH-03"},
		Needs:        harness.Needs(harness.Volumes(1), harness.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			deleted := deletion.Volume(ctx, driver).GetVolumeId()

			gone := driver.Settled(ctx, effect.Deletion, func() bool {
				for _, health := range mustListHealth(ctx, driver, 0) {
					if health.GetVolumeId() == deleted {
						return false
					}
				}
				return true
			})
			suite.Should(ctx, "VH-03", gone, "DeleteVolume of volume %s was OK, and ControllerListVolumeHealth still has it", deleted)
		},
	}
}

func volumeHealthListInvalidToken() harness.Case {
	return harness.Case{
		ID:           "volume_health_list_invalid_token",
		Text:         "returns ABORTED for a starting_token that ControllerListVolumeHealth never returned",
		Requirements: []string{"VH-11", "GEN-15", "GEN-16"},
		Needs:        harness.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH),
		Run: func(ctx context.Context, driver *harness.Driver) {
			_, err := getHealthPage(attempt.Once(ctx, codes.Aborted), driver, 0, unknownToken)

			expectUnknownToken(ctx, "VH-11", "ControllerListVolumeHealth", err)
		},
	}
}

func volumeHealthListNegativeMaxEntries() harness.Case {
	return harness.Case{
		ID:           "volume_health_list_negative_max_entries",
		Text:         "returns INVALID_ARGUMENT for a negative max_entries of ControllerListVolumeHealth",
		Requirements: []string{"VH-10", "GEN-12", "GEN-15", "GEN-16"},
		Needs:        harness.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUME_HEALTH),
		Run: func(ctx context.Context, driver *harness.Driver) {
			_, err := getHealthPage(ctx, driver, -1, "")

			expectNegativeMaxEntries(ctx, "VH-10", "ControllerListVolumeHealth", err)
		},
	}
}

// getHealth gets the health of one volume, and getHealthPage one page of the health of all.
func getHealth(ctx context.Context, driver *harness.Driver, id string) (*csi.ControllerGetVolumeHealthResponse, error) {
	return driver.Controller.ControllerGetVolumeHealth(ctx, &csi.ControllerGetVolumeHealthRequest{VolumeId: id})
}

func getHealthPage(ctx context.Context, driver *harness.Driver, most int32, token string) (*csi.ControllerListVolumeHealthResponse, error) {
	return driver.Controller.ControllerListVolumeHealth(ctx, &csi.ControllerListVolumeHealthRequest{MaxEntries: most, StartingToken: token})
}

// mustListHealth reads the health of all volumes page by page.
func mustListHealth(ctx context.Context, driver *harness.Driver, most int32) []*csi.VolumeHealth {
	var all []*csi.VolumeHealth
	token, seen := "", map[string]bool{}
	for range mostPages {
		page, err := getHealthPage(ctx, driver, most, token)
		if token == "" && most != warnIfInvalid(ctx, "VH-05", "ControllerListVolumeHealth", most, err) {
			return nil
		}
		suite.Must("VH-01", status.Code(err) != codes.Unimplemented, "LIST_VOLUME_HEALTH is claimed, and ControllerListVolumeHealth is UNIMPLEMENTED")
		harness.NeedOK(page, err)
		entries := len(page.GetEntries())
		suite.Must("VH-05", most == 0 || entries <= int(most), "ControllerListVolumeHealth with max_entries %d has %d entries on a page", most, entries)
		all = append(all, page.GetEntries()...)
		if token = page.GetNextToken(); token == "" {
			return all
		}
		suite.Must("VH-06", !seen[token], "ControllerListVolumeHealth with max_entries %d returned next_token %q twice: its pages never end", most, token)
		seen[token] = true
	}
	suite.Reduced(ctx, "shown with the first %d pages of ControllerListVolumeHealth", mostPages)
	return all
}

// expectWellFormed fails the case unless the volume's health has everything that is REQUIRED, and nothing twice.
func expectWellFormed(health *csi.VolumeHealth) {
	suite.Must("VH-07", health.GetVolumeId() != "", "the health of a volume has no volume_id, which is REQUIRED: %v", health)
	seen := map[string]bool{}
	for _, entry := range health.GetHealthStatuses() {
		suite.Must("VH-08", entry.GetStatus() != csi.VolumeHealthErrorType_UNKNOWN_VOLUME_HEALTH_TYPE && entry.GetReason() != "",
			"the health of volume %s has an entry without status or reason, both of which are REQUIRED: %v", health.GetVolumeId(), entry)
		told := fmt.Sprintf("%s %s", entry.GetStatus(), entry.GetReason())
		suite.Must("VH-09", !seen[told], "the health of volume %s has two entries with the same status and reason: %s", health.GetVolumeId(), told)
		seen[told] = true
	}
}
