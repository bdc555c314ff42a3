// SPDX-License-Identifier: Apache-2.0

package restart

import (
	"context"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/creation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// volumes returns the cases about volumes that were created before.
func volumes() []harness.Case {
	return []harness.Case{volumeKept(), volumesAtOnceKept(), newIDs(), capacityKept()}
}

func volumeKept() harness.Case {
	return harness.Case{
		ID:           "restart_volume",
		Text:         "has the same volumes after a restart, lists them, and deletes them",
		Requirements: []string{"CV-02", "CV-03", "VOL-12", "VV-03", "LV-01", "DV-01"},
		Needs:        needs(2),
		Run: func(ctx context.Context, driver *harness.Driver) {
			var before []made
			for range 2 {
				before = append(before, mustMake(ctx, driver, driver.CreateVolumeRequest(driver.Volume(1))))
			}

			harness.RestartDriver(ctx, driver)

			for _, was := range before {
				expectKept(ctx, driver, was, wasRestarted)
				expectListed(ctx, driver, was.volume)
				expectDeleted(ctx, driver, was.volume)
			}
		},
	}
}

// volumesAtOnceKept restarts the driver right after its last answer: its answers have to be on its disk, or in its back end,
// by then.
func volumesAtOnceKept() harness.Case {
	const several = 6
	return harness.Case{
		ID:           "restart_volumes_at_once",
		Text:         "has all volumes that it created at once when it is killed right after its answers",
		Requirements: []string{"CV-02", "CV-03", "VOL-12", "VV-03"},
		Needs:        needs(several),
		Run: func(ctx context.Context, driver *harness.Driver) {
			var requests []*csi.CreateVolumeRequest
			for range several {
				requests = append(requests, driver.CreateVolumeRequest(driver.Volume(1)))
			}
			// A driver that asks for repetitions has answered once the repeated calls are answered.
			answers := creation.Finish(ctx, driver, requests, creation.AtOnce(ctx, driver, requests...), 1)

			harness.RestartDriver(ctx, driver)

			kept := 0
			for i, answer := range answers {
				if answer.Code == codes.OK {
					expectKept(ctx, driver, made{requests[i], answer.Volume}, wasRestarted)
					kept++
				}
			}
			suite.Evidence(ctx, "volumes that were answered OK before the restart", kept)
			if kept == 0 {
				suite.CouldNotTell("none of %d concurrent calls created a volume: the first answer was %s", several, answers[0])
			}
		},
	}
}

// newIDs compares the ids of volumes that are created after a restart with the ids from before.
func newIDs() harness.Case {
	const some = 3
	return harness.Case{
		ID:           "restart_new_ids",
		Text:         "does not give a volume that it creates after a restart the volume_id of another, and should not reuse that of a deleted one",
		Requirements: []string{"VOL-04"},
		Needs:        needs(2*some + 1),
		Run: func(ctx context.Context, driver *harness.Driver) {
			names := map[string]string{}
			for range some {
				one := mustMake(ctx, driver, driver.CreateVolumeRequest(driver.Volume(1)))
				names[one.volume.GetVolumeId()] = one.request.GetName()
			}
			deleted := mustMake(ctx, driver, driver.CreateVolumeRequest(driver.Volume(1)))
			deletion.Need(ctx, driver, deleted.volume)

			harness.RestartDriver(ctx, driver)

			for range some {
				one := mustMake(ctx, driver, driver.CreateVolumeRequest(driver.Volume(1)))
				id := one.volume.GetVolumeId()
				other, taken := names[id]
				suite.Must("VOL-04", !taken, "volume_id identifies one volume among all\nbefore the driver was restarted, CreateVolume answered with %s for the name %s; afterwards it did for the name %s", id, other, one.request.GetName())
				suite.Should(ctx, "VOL-04", id != deleted.volume.GetVolumeId(), "before the driver was restarted, volume %s was created and deleted; afterwards CreateVolume answered with that volume_id for the name %s: a DeleteVolume that comes late deletes it", id, one.request.GetName())
				names[id] = one.request.GetName()
			}
		},
	}
}

func capacityKept() harness.Case {
	return harness.Case{
		ID:           "restart_capacity",
		Text:         "reports the same capacity after a restart, and as much as originally once the volume that was created is deleted",
		Requirements: []string{"CAP-12"},
		Needs:        harness.Needs(needs(1), harness.ExactCapacity()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			empty := driver.Held.Watch(ctx)
			volume := driver.NeedVolume(ctx, driver.Volume(1))
			full := driver.Held.Watch(ctx)

			harness.RestartDriver(ctx, driver)

			wrong := full.Taken(ctx, 0, nil)
			suite.Must("CAP-12", len(wrong) == 0, "the driver was restarted, and nothing was created or deleted:\n%s", strings.Join(wrong, "\n"))
			deletion.Need(ctx, driver, volume)
			wrong = empty.Taken(ctx, 0, nil)
			suite.Must("CAP-12", len(wrong) == 0, "volume %s was created, the driver was restarted, and the volume was deleted:\n%s", volume.GetVolumeId(), strings.Join(wrong, "\n"))
		},
	}
}
