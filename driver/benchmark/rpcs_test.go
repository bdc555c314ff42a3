// SPDX-License-Identifier: Apache-2.0

package benchmark_test

import (
	"context"
	"math/rand/v2"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/uuid"

	"github.com/csi-topo/csi-topo/driver/topology"
)

// pageEntries is the number of volumes requested from ListVolumes.
const pageEntries = 100

// preparation returns count calls, and the steps that undo them. Neither it nor the
// undoing is measured.
type preparation func(p *Population, count int) (calls, undo []step, err error)

// rpcs lists the measured calls. A call for a volume uses a random one.
var rpcs = map[string]preparation{
	"CreateVolume": func(p *Population, count int) (calls, undo []step, err error) {
		for range count {
			calls = append(calls, p.createOne())
			undo = append(undo, func(ctx context.Context) error { return p.delete(p.take())(ctx) })
		}
		return calls, undo, nil
	},
	"DeleteVolume": func(p *Population, count int) (calls, undo []step, err error) {
		if err := p.create(count); err != nil {
			return nil, nil, err
		}
		for range count {
			calls = append(calls, p.delete(p.take()))
		}
		return calls, nil, nil
	},
	"ControllerPublishVolume": func(p *Population, count int) (calls, undo []step, err error) {
		if err := p.create(count); err != nil {
			return nil, nil, err
		}
		for range count {
			v := p.take()
			calls = append(calls, p.publish(v))
			undo = append(undo, func(ctx context.Context) error {
				if _, err := p.controller.ControllerUnpublishVolume(ctx, &csi.ControllerUnpublishVolumeRequest{VolumeId: v.id}); err != nil {
					return err
				}
				return p.delete(v)(ctx)
			})
		}
		return calls, undo, nil
	},
	"ListVolumes": func(p *Population, count int) (calls, undo []step, err error) {
		for range count {
			calls = append(calls, p.list())
		}
		return calls, nil, nil
	},
	"GetCapacity": func(p *Population, count int) (calls, undo []step, err error) {
		for range count {
			calls = append(calls, func(ctx context.Context) error {
				_, err := p.controller.GetCapacity(ctx, &csi.GetCapacityRequest{AccessibleTopology: p.anywhere()[0]})
				return err
			})
		}
		return calls, nil, nil
	},
}

func (p *Population) createOne() step {
	anywhere := p.anywhere()
	request := &csi.CreateVolumeRequest{
		Name:               "pvc-" + uuid.NewString(), // as external-provisioner names them
		CapacityRange:      &csi.CapacityRange{RequiredBytes: volumeBytes},
		VolumeCapabilities: []*csi.VolumeCapability{writer()},
		AccessibilityRequirements: &csi.TopologyRequirement{
			Requisite: anywhere,
			Preferred: anywhere,
		},
	}
	return func(ctx context.Context) error {
		response, err := p.controller.CreateVolume(ctx, request)
		if err != nil {
			return err
		}
		made := response.GetVolume()
		p.add(present{id: made.GetVolumeId(), zone: made.GetAccessibleTopology()[0].GetSegments()[topology.ZoneKey]})
		return nil
	}
}

func (p *Population) delete(v present) step {
	request := &csi.DeleteVolumeRequest{VolumeId: v.id}
	return func(ctx context.Context) error {
		_, err := p.controller.DeleteVolume(ctx, request)
		return err
	}
}

// publish publishes the volume on a node in its zone.
func (p *Population) publish(v present) step {
	node := v.zone + []string{"a", "b"}[rand.IntN(2)]
	request := &csi.ControllerPublishVolumeRequest{VolumeId: v.id, NodeId: node, VolumeCapability: writer()}
	return func(ctx context.Context) error {
		_, err := p.controller.ControllerPublishVolume(ctx, request)
		return err
	}
}

// list lists the page after a random volume, or the first page if there are too few volumes.
func (p *Population) list() step {
	request := &csi.ListVolumesRequest{MaxEntries: pageEntries}
	if after := len(p.free) - pageEntries; after > 0 {
		request.StartingToken = p.free[rand.IntN(after)].id
	}
	return func(ctx context.Context) error {
		_, err := p.controller.ListVolumes(ctx, request)
		return err
	}
}

func writer() *csi.VolumeCapability {
	return &csi.VolumeCapability{
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
	}
}

// anywhere returns all segments, beginning with a random one, as external-provisioner
// sends them.
func (p *Population) anywhere() []*csi.Topology {
	first := rand.IntN(len(p.known))
	all := make([]*csi.Topology, 0, len(p.known))
	for i := range p.known {
		all = append(all, &csi.Topology{Segments: p.known[(first+i)%len(p.known)]})
	}
	return all
}
