// SPDX-License-Identifier: Apache-2.0

package capacity

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// pollInterval is csi-provisioner's default of --capacity-poll-interval. By default, a single thread handles the calls:
// --capacity-threads is 1.
const pollInterval = time.Minute

// capacityKeepsUp measures GetCapacity, and computes from it whether csi-provisioner can ask for everything within its
// poll interval. It runs alone, so that no call waits for another one of the suite.
func capacityKeepsUp() harness.Case {
	const rounds = 11
	return harness.Case{
		ID:           "capacity_keeps_up",
		Text:         "should answer GetCapacity fast enough for csi-provisioner, which asks for every topology and StorageClass each minute",
		Requirements: []string{"K8S-D19"},
		Needs:        harness.Needs(claimed(), harness.Alone()),
		Run: func(ctx context.Context, driver *harness.Driver) {
			segments, numbers := everywhere(driver), kinds(driver)
			took := make([]time.Duration, rounds)
			for i := range took {
				request := requestFor(driver, numbers[i/len(segments)%len(numbers)], segments[i%len(segments)])
				begin := time.Now()
				mustGet(ctx, driver, request)
				took[i] = time.Since(begin)
			}
			slices.Sort(took)
			p := pace{median: took[rounds/2], scale: driver.Profile().ScaleOr(max(1, len(driver.Segments())), len(numbers))}
			suite.Evidence(ctx, "pace", p.String())
			if p.all() > pollInterval {
				suite.Warn(ctx, "K8S-D19", "%s", p.advice())
			}
		},
	}
}

// pace is the duration of GetCapacity, and the scale of the installation.
type pace struct {
	median time.Duration
	scale  profile.Scale
}

// all returns the time that one thread takes for all topologies and StorageClasses.
func (p pace) all() time.Duration {
	const longest = 1 << 62 // nanoseconds: a century and more
	return time.Duration(min(float64(p.median)*float64(p.scale.Topologies)*float64(p.scale.StorageClasses), longest))
}

// threads returns the minimum number of threads for all calls within the poll interval.
func (p pace) threads() int { return int((p.all() + pollInterval - 1) / pollInterval) }

// most returns the number of topologies for which one thread is enough.
func (p pace) most() int {
	return int(pollInterval / max(p.median, 1) / time.Duration(p.scale.StorageClasses))
}

func (p pace) String() string {
	return fmt.Sprintf("GetCapacity takes %s (median): %d topologies x %d StorageClasses take %s, and csi-provisioner asks for all of them every %s, one after another",
		p.median.Round(10*time.Microsecond), p.scale.Topologies, p.scale.StorageClasses, p.all().Round(time.Second), pollInterval)
}

// advice describes the consequences if a minute is not enough.
func (p pace) advice() string {
	return fmt.Sprintf("%s\nIt does not wait for the answers before it asks again: its queue and its memory grow without limit, and what it publishes falls further and further behind.\n"+
		"At this pace one thread is enough for %d topologies. For %d, deploy csi-provisioner with --capacity-threads=%d or more, if GetCapacity is as fast when it is called at the same time, or with --capacity-poll-interval=%s or more; or answer faster, for example from a cache",
		p, p.most(), p.scale.Topologies, p.threads(), p.all().Round(time.Second)+time.Second)
}
