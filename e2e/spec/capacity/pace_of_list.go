// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"fmt"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/effect"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// attacherTimeout is csi-attacher's default of --timeout. It limits all pages of ListVolumes together, every minute by the
// default of --reconcile-sync.
const attacherTimeout = 15 * time.Second

// listKeepsUp measures ListVolumes, and computes from it whether csi-attacher can list all volumes of an installation. If
// that holds even if all the time were for the entries, it measures once; otherwise it lists again with fewer volumes.
func listKeepsUp() harness.Case {
	const volumes = 4
	return harness.Case{
		ID:           "list_keeps_up",
		Text:         "should list volumes fast enough for csi-attacher, which reads the whole list each minute and waits 15 seconds",
		Requirements: []string{"K8S-I15"},
		Needs: harness.Needs(harness.Volumes(volumes), harness.Alone(),
			harness.Claims(csi.ControllerServiceCapability_RPC_LIST_VOLUMES, csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			var created []*csi.Volume
			for range volumes {
				created = append(created, driver.NeedVolume(ctx, volumeIn(driver, 1, driver.Z2)))
			}
			p := listPace{volumes: driver.Profile().ScaleOr(1, 1).Volumes}
			more := listings(ctx, driver)
			p.entries, p.entry = more.entries, more.fastest/time.Duration(max(more.entries, 1))
			if p.all() > attacherTimeout {
				for _, volume := range created {
					deletion.Need(ctx, driver, volume)
				}
				fewer := more
				unlisted := func() bool {
					fewer = listings(ctx, driver)
					return fewer.entries <= more.entries-volumes
				}
				if !driver.Settled(ctx, effect.Deletion, unlisted) {
					suite.Skip(suite.ByEnvironment, "%d volumes were deleted, and ListVolumes has %d entries, after %d before: the time of an entry cannot be measured", volumes, fewer.entries, more.entries)
				}
				// The variation between two runs of the same call must not count.
				p.entry = max(0, more.fastest-fewer.slowest) / time.Duration(more.entries-fewer.entries)
			}
			suite.Evidence(ctx, "pace", p.String())
			if p.all() > attacherTimeout {
				suite.Warn(ctx, "K8S-I15", "%s", p.advice())
			}
		},
	}
}

// listed is the time that several calls of ListVolumes took, and the number of entries.
type listed struct {
	fastest, slowest time.Duration
	entries          int
}

// listings reads the list of volumes several times, with all pages.
func listings(ctx context.Context, driver *harness.Driver) listed {
	const times = 3
	var found listed
	for i := range times {
		entries := 0
		var err error
		took := timed(func() {
			err = driver.Pages.Each(ctx, "ListVolumes", func(ctx context.Context, token string) (string, error) {
				response, err := driver.Controller.ListVolumes(attempt.Tolerant(ctx), &csi.ListVolumesRequest{StartingToken: token})
				entries += len(response.GetEntries())
				return response.GetNextToken(), err
			})
		})
		if err != nil {
			suite.Skip(suite.ByCapability, "ListVolumes does not work, which other cases judge: %v", err)
		}
		if i == 0 || took < found.fastest {
			found.fastest = took
		}
		found.slowest, found.entries = max(found.slowest, took), entries
	}
	return found
}

// listPace is the time that an entry of ListVolumes takes, and the scale of the installation.
type listPace struct {
	entry            time.Duration
	entries, volumes int
}

// all returns the time that the list of all volumes takes.
func (p listPace) all() time.Duration { return p.entry * time.Duration(p.volumes) }

func (p listPace) String() string {
	return fmt.Sprintf("ListVolumes takes %s at most for each of %d entries: %d volumes take %s, and csi-attacher lists all of them every minute",
		p.entry.Round(10*time.Microsecond), p.entries, p.volumes, p.all().Round(10*time.Millisecond))
}

// advice describes the consequences if csi-attacher's timeout is not enough.
func (p listPace) advice() string {
	return fmt.Sprintf("%s\nIt gives up after %s, all pages together: it then never learns which volumes are attached, and does not attach again what was detached behind its back.\n"+
		"At this pace the time is enough for %d volumes. For %d, deploy csi-attacher with --timeout=%s or more; or answer faster, for example without a call to the back end for each volume",
		p, attacherTimeout, attacherTimeout/max(p.entry, 1), p.volumes, p.all().Round(time.Second)+time.Second)
}

func timed(do func()) time.Duration {
	begin := time.Now()
	do()
	return time.Since(begin)
}
