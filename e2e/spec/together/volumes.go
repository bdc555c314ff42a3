// SPDX-License-Identifier: Apache-2.0

package together

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/describe"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/messages"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// volumesAtOnce returns the case about volumes that go through their lives in step, on one node and on two.
func volumesAtOnce() harness.Case {
	return harness.Case{
		ID:   "volumes_at_once",
		Text: "creates, attaches, stages, publishes, grows, snapshots, restores and removes several volumes at once, each as if it was alone",
		Requirements: []string{
			"VOL-04", "VOL-12", "CV-02", "CV-11", "CP-05", "CP-22", "NS-19", "NS-20", "CE-13", "LV-15", "VS-02", "SN-06", "CS-01", "CS-03", "GEN-02",
		},
		Needs: harness.Needs(harness.Volumes(mostAttached), harness.Attaches(mostAttached)),
		Run: func(ctx context.Context, driver *harness.Driver) {
			c := &company{Driver: driver}
			volumes := c.volumes()
			c.create(ctx, volumes)
			c.attach(ctx, volumes)
			c.publish(ctx, volumes)
			copies := c.change(ctx, volumes)
			c.expectOwnSize(ctx, volumes)
			c.exchange(ctx, volumes, copies)
			c.end(ctx, volumes, copies)
		},
	}
}

const (
	// plain is the number of volumes of the plain kind, and devices the number of block devices in addition to file systems.
	// Half of them are copied.
	plain, devices = 4, 2
	// mostNodes is the number of nodes that have the volumes, so that each has several, and mostAttached the number of
	// volumes and copies that one of them has at the same time.
	mostNodes, mostAttached = 2, 6
)

// company holds volumes that are used concurrently.
type company struct {
	*harness.Driver
	// alone reports that a call is made once more, after it was refused while others were in flight.
	alone bool
}

// volume is one of them, with the requests and answers about it.
type volume struct {
	request *csi.CreateVolumeRequest
	// is holds the answer of CreateVolume, and again the last answer about the volume.
	is, again *csi.Volume
	// node is the node that uses it; nil if no node does.
	node     *harness.Node
	contexts []map[string]string // the publish_context of each answer
	staged   *csi.NodeStageVolumeRequest
	mounted  *csi.NodePublishVolumeRequest
	// text is the data of the volume.
	text string
	// grown is the answer to its growth, and snapshot and second the snapshots of it; nil if there are none.
	grown            *csi.ControllerExpandVolumeResponse
	snapshot, second *csi.Snapshot
}

func (v *volume) capability() *csi.VolumeCapability { return v.request.GetVolumeCapabilities()[0] }

// volumes returns the volumes to create, on the nodes in turn; fewer if nodes take fewer.
func (c *company) volumes() []*volume {
	kinds := slices.Repeat([]*csi.VolumeCapability{c.Capability()}, plain)
	if c.Profile().HasMount() && c.Profile().Block {
		kinds = append(kinds, slices.Repeat([]*csi.VolumeCapability{c.Block()}, devices)...)
	}
	nodes := c.Nodes[:min(len(c.Nodes), mostNodes)]
	if c.Profile().FakeNodes {
		nodes = nil
	}
	for _, node := range nodes {
		most := mostAttached
		if node.MaxVolumes > 0 {
			most = min(most, int(node.MaxVolumes))
		}
		if len(nodes) == 1 { // which has the copies too
			most = most * 2 / 3
		}
		kinds = kinds[:min(len(kinds), most)]
	}
	var all []*volume
	for i, capability := range kinds {
		v := &volume{text: fmt.Sprintf("the data of volume %d", i+1)}
		asked := c.Volume(1)
		if len(nodes) > 0 {
			v.node = nodes[i%len(nodes)]
			asked = c.VolumeFor(v.node)
		}
		v.request = c.CreateVolumeRequest(asked)
		v.request.VolumeCapabilities = []*csi.VolumeCapability{messages.As(capability, v.capability().GetAccessMode().GetMode())}
		all = append(all, v)
	}
	return all
}

// step is a call for one of the volumes. It returns nil if there is nothing to call.
type step func(ctx context.Context, v *volume) error

// turn is a step of some of the volumes.
type turn struct {
	volumes []*volume
	step    step
}

// atOnce makes the calls of all turns, all of them in flight together, and calls of the Identity service. A call that is
// refused is made again alone: if it is OK then, it should have been OK before.
func (c *company) atOnce(ctx context.Context, turns ...turn) {
	// Only the goroutine of the case may end the case, so a call must not.
	tolerant := attempt.Tolerant(ctx)
	together := make(chan struct{})
	var calls []func(ctx context.Context) error
	for _, t := range turns {
		for _, v := range t.volumes {
			calls = append(calls, func(ctx context.Context) error { return t.step(ctx, v) })
		}
	}
	errs := make([]error, len(calls))
	var all, identifying sync.WaitGroup
	pending, end := context.WithCancel(tolerant)
	defer end()
	identifying.Go(func() {
		<-together
		c.identify(tolerant, pending)
	})
	for i, call := range calls {
		all.Go(func() {
			<-together
			errs[i] = call(tolerant)
		})
	}
	close(together)
	all.Wait()
	end()
	identifying.Wait()
	for i, err := range errs {
		attempt.MustBeAnswered(err)
		if err != nil {
			c.alone = true
			harness.NeedOK(true, calls[i](ctx))
			c.alone = false
			suite.Warn(ctx, "GEN-02", "one of %d concurrent calls, each for a different volume, was refused, and is OK when it is made alone: %s", len(calls), describe.Status(err))
		}
	}
}

// identify requests the names and capabilities of the plugins, at least once, and until pending ends, which happens with the
// other calls. Faults of the answers are recorded for the whole run.
func (c *company) identify(ctx, pending context.Context) {
	identities := []csi.IdentityClient{c.Identity}
	for _, node := range c.Nodes[:min(len(c.Nodes), mostNodes)] {
		identities = append(identities, node.Identity)
	}
	delays := attempt.Backoff(c.Target.Timeouts.Query)
	for ended := false; !ended; ended = attempt.Pause(pending, delays.Step()) != nil {
		for _, identity := range identities {
			_, _ = identity.GetPluginInfo(ctx, &csi.GetPluginInfoRequest{})
			_, _ = identity.GetPluginCapabilities(ctx, &csi.GetPluginCapabilitiesRequest{})
			_, _ = identity.Probe(ctx, &csi.ProbeRequest{})
		}
	}
}
