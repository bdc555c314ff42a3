// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/calls"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/deletion"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// The defaults of csi-provisioner's --worker-threads and --timeout.
const (
	provisionerThreads = 100
	provisionerTimeout = 10 * time.Second
)

// creationKeepsUp measures CreateVolume, and computes from it when csi-provisioner's last thread has its answer. If
// sequential calls are fast enough, it creates a single volume; otherwise it also measures concurrent calls. The time with
// 100 callers is computed: measuring it would take 100 volumes, and the last call might exceed the limit of the run.
func creationKeepsUp() harness.Case {
	const each, callers, times, fewest = 4, 16, 3, 4
	return harness.Case{
		ID:           "creation_keeps_up",
		Text:         "should answer CreateVolume in time for csi-provisioner, which calls it for 100 claims at once and waits 10 seconds",
		Requirements: []string{"K8S-O24"},
		Needs:        harness.Needs(harness.Volumes(each), harness.Shows(callers/each), harness.Alone()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			segments := orNil(driver.Zones(callers / each))
			p := creationPace{callers: 1}
			for i := 0; i < times && (i == 0 || p.last() > provisionerTimeout); i++ {
				var volume *csi.Volume
				took := timed(func() { volume = driver.NeedVolume(ctx, volumeIn(driver, 1, segments[0])) })
				deletion.Need(ctx, driver, volume)
				if i == 0 || took < p.alone {
					p.alone, p.together = took, took
				}
				p.slowest = max(p.slowest, took)
			}
			several := p.within(driver.Target.Timeouts.Provision, each*len(segments))
			switch {
			case p.last() <= provisionerTimeout:
			case several < fewest:
				suite.Reduced(ctx, "CreateVolume takes %s, so that %d concurrent calls might exceed the limit for one", p.alone.Round(time.Millisecond), fewest)
			default:
				p = together(ctx, driver, segments, several, p)
			}
			suite.Evidence(ctx, "pace", p.String())
			if p.callers > 1 && p.isLimited() && p.last() > provisionerTimeout {
				suite.Warn(ctx, "K8S-O24", "%s", p.advice())
			}
		},
	}
}

// within returns the largest number of callers, up to the given one, with which no call exceeds the limit even if the driver
// works on one call after another, with some time to spare.
func (p creationPace) within(limit time.Duration, callers int) int {
	const spare = 6
	return min(callers, int(limit/max(spare*p.slowest, 1)))
}

// together measures the given number of concurrent calls in the segments, and deletes the volumes.
func together(ctx context.Context, driver *harness.Driver, segments model.Set, callers int, p creationPace) creationPace {
	var number, deleted atomic.Int64
	var outcomes []calls.Outcome[*csi.CreateVolumeResponse]
	p.callers = callers
	p.together = timed(func() {
		outcomes = calls.AtOnce(ctx, p.callers, func(ctx context.Context) (*csi.CreateVolumeResponse, error) {
			segment := segments[int(number.Add(1))%len(segments)]
			return driver.Controller.CreateVolume(ctx, driver.CreateVolumeRequest(volumeIn(driver, 1, segment)))
		})
	})
	for _, outcome := range outcomes {
		if outcome.Err != nil {
			suite.Skip(suite.ByEnvironment, "one of %d concurrent calls was refused, so that the time says nothing: %v", p.callers, outcome.Err)
		}
	}
	calls.AtOnce(ctx, p.callers, func(ctx context.Context) (*csi.DeleteVolumeResponse, error) {
		volume := outcomes[int(deleted.Add(1))%len(outcomes)].Response.GetVolume()
		return driver.Controller.DeleteVolume(ctx, deletion.Request(driver, volume))
	})
	return p
}

// creationPace is the time that the creation of a single volume takes, at best and at worst, and the time for several
// volumes that are requested at once.
type creationPace struct {
	alone, slowest, together time.Duration
	callers                  int
}

// last returns when the last of csi-provisioner's calls is answered, at the pace of the measured calls.
func (p creationPace) last() time.Duration {
	return p.together * provisionerThreads / time.Duration(p.callers)
}

// atOnce returns the number of volumes that the driver creates at a time.
func (p creationPace) atOnce() float64 {
	return float64(p.alone) * float64(p.callers) / float64(max(p.together, 1))
}

// isLimited reports whether the driver creates fewer than half of the requested volumes at a time. If not, it may create
// more at a time for more callers.
func (p creationPace) isLimited() bool { return p.atOnce() < float64(p.callers)/2 }

func (p creationPace) String() string {
	const digits = 10 * time.Microsecond
	alone := fmt.Sprintf("CreateVolume takes %s for one caller", p.alone.Round(digits))
	if p.callers == 1 {
		return fmt.Sprintf("%s: one after another, the calls of csi-provisioner's %d threads take %s", alone, provisionerThreads, p.last().Round(digits))
	}
	return fmt.Sprintf("%s, and %s for %d callers at once: the driver works on %.1f volumes at a time", alone, p.together.Round(digits), p.callers, p.atOnce())
}

// advice describes the consequences if the driver answers the last of csi-provisioner's calls too late.
func (p creationPace) advice() string {
	const claims = 1000
	each := p.together / time.Duration(p.callers)
	return fmt.Sprintf("%s\ncsi-provisioner makes %d calls at once and gives each up after %s, and at this pace the last of them is answered after %s. It then makes the same calls again, while the driver still works on the volumes: %d claims take %s at best.\n"+
		"Work on more volumes at a time; or deploy csi-provisioner with --timeout=%s or more, or with --worker-threads=%d or fewer",
		p, provisionerThreads, provisionerTimeout, p.last().Round(time.Second), claims, (each * claims).Round(time.Second),
		p.last().Round(time.Second)+time.Second, max(1, provisionerTimeout/max(each, 1)))
}
