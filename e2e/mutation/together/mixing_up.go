// SPDX-License-Identifier: Apache-2.0

package together

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/spec/harness"
)

const volumesAtOnce = "volumes_at_once"

// mixingUp returns drivers that mistake one volume for another when calls are concurrent.
func mixingUp() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"two creations at once get each other's answers":         mutation.Wide(swapsCreations(), mutation.Fails(volumesAtOnce, "CV-02")),
		"two attachments at once get each other's answers":       mutation.Wide(swapsContexts(), mutation.Fails(volumesAtOnce, "CP-22")),
		"two volumes that are asked for at once are mixed up":    mutation.Wide(swapsVolumes(), mutation.Fails(volumesAtOnce, "LV-15")),
		"two stagings at once use one path":                      stagesAtOnePath(mutation.Fails(volumesAtOnce, "NS-20")),
		"two snapshots at once are taken of each other's volume": mutation.Wide(swapsSources(), mutation.Fails(volumesAtOnce, "VS-02")),
		"two creations at once whose names begin alike are one":  mutation.Wide(joinsNames(), mutation.Fails(volumesAtOnce, "VOL-04")),
	}
}

func swapsCreations() mutation.Fault {
	var (
		calls meeting[*csi.CreateVolumeResponse]
		known sync.Map
	)
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		response, err := right.CreateVolume(ctx, r)
		if _, again := known.LoadOrStore(r.GetName(), true); again || err != nil || r.GetVolumeContentSource() != nil {
			return response, err
		}
		if theirs, came := calls.meet(fmt.Sprint(r.GetAccessibilityRequirements(), r.GetVolumeCapabilities()), response); came != alone {
			return theirs, nil
		}
		return response, nil
	})
}

// swapsContexts makes a driver that swaps the publish_context of two attachments. Its nodes find the device by the volume.
func swapsContexts() mutation.Fault {
	const device = "device"
	var calls meeting[string]
	plain := func(publishContext map[string]string) { delete(publishContext, device) }
	return mutation.Answering(func(r *csi.ControllerPublishVolumeRequest, response *csi.ControllerPublishVolumeResponse) {
		is := r.GetVolumeId()
		if theirs, came := calls.meet("", is); came != alone {
			is = theirs
		}
		if response.PublishContext == nil {
			response.PublishContext = map[string]string{}
		}
		response.PublishContext[device] = is
	}).And(mutation.Asking(func(r *csi.NodeStageVolumeRequest) { plain(r.GetPublishContext()) })).
		And(mutation.Asking(func(r *csi.NodePublishVolumeRequest) { plain(r.GetPublishContext()) }))
}

func swapsVolumes() mutation.Fault {
	var calls meeting[*csi.ControllerGetVolumeResponse]
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerGetVolumeRequest) (*csi.ControllerGetVolumeResponse, error) {
		response, err := right.ControllerGetVolume(ctx, r)
		if err != nil {
			return nil, err
		}
		if theirs, came := calls.meet("", response); came != alone {
			return theirs, nil
		}
		return response, nil
	})
}

func swapsSources() mutation.Fault {
	var (
		calls meeting[string]
		kinds sync.Map // by volume_id
		taken sync.Map // by the name of a snapshot, the volume that it is of
	)
	return mutation.Answering(func(r *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse) {
		kinds.Store(response.GetVolume().GetVolumeId(), fmt.Sprint(response.GetVolume().GetAccessibleTopology(), r.GetVolumeCapabilities()))
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateSnapshotRequest) (*csi.CreateSnapshotResponse, error) {
		of := r.GetSourceVolumeId()
		if before, found := taken.Load(r.GetName()); found {
			r.SourceVolumeId = before.(string)
		} else {
			kind, _ := kinds.Load(of)
			if theirs, came := calls.meetIf(fmt.Sprint(kind), of, func(theirs string) bool { return theirs != of }); came != alone {
				r.SourceVolumeId = theirs
			}
		}
		response, err := right.CreateSnapshot(ctx, r)
		if err == nil {
			taken.Store(r.GetName(), r.GetSourceVolumeId())
			response.Snapshot.SourceVolumeId = of
		}
		return response, err
	}))
}

// joinsNames makes a driver that has one creation in flight for all names that differ only in their last letter.
func joinsNames() mutation.Fault {
	type done struct {
		response *csi.CreateVolumeResponse
		err      error
	}
	var (
		calls meeting[chan done]
		names sync.Map // by the name, the one that the volume has
	)
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		if name, again := names.Load(r.GetName()); again {
			r.Name = name.(string)
			return right.CreateVolume(ctx, r)
		}
		own := make(chan done, 1)
		theirs, came := calls.meet(r.GetName()[:max(0, len(r.GetName())-1)]+fmt.Sprint(r.GetAccessibilityRequirements(), r.GetVolumeCapabilities()), own)
		if came == second {
			answer := <-theirs
			names.Store(r.GetName(), "")
			if answer.err == nil {
				answer.response = proto.CloneOf(answer.response)
			}
			return answer.response, answer.err
		}
		response, err := right.CreateVolume(ctx, r)
		names.Store(r.GetName(), r.GetName())
		own <- done{response, err}
		return response, err
	})
}

// onePath prepares volumes at one path, the same for all: of two concurrent stagings, the second finds the volume of the
// first there.
type onePath struct {
	stagings meeting[string] // of staging paths
	mixed    sync.Map        // by the staging path, the one whose volume is there
	targets  sync.Map        // by the staging path, the target path
}

func stagesAtOnePath(cases ...mutation.Case) mutation.Expectation {
	p := &onePath{}
	wrong := mutation.Wide(mutation.OnOK(func(r *csi.NodeStageVolumeRequest) {
		if theirs, came := p.stagings.meet(fmt.Sprint(r.GetPublishContext(), r.GetVolumeCapability()), r.GetStagingTargetPath()); came == second {
			p.mixed.Store(r.GetStagingTargetPath(), theirs)
		}
	}).And(mutation.OnOK(func(r *csi.NodePublishVolumeRequest) {
		p.targets.Store(r.GetStagingTargetPath(), r.GetTargetPath())
	})), cases...)
	wrong.Target = func(t *harness.Target) { t.Paths = mixedPaths{t.Paths, p} }
	return wrong
}

// mixedPaths holds the paths of nodes, with the volumes that are there.
type mixedPaths struct {
	harness.Paths
	of *onePath
}

func (m mixedPaths) Write(ctx context.Context, node, path string, offset int64, data []byte) error {
	return m.Paths.Write(ctx, node, m.of.truly(path), offset, data)
}

func (m mixedPaths) Read(ctx context.Context, node, path string, offset int64, most int) ([]byte, error) {
	return m.Paths.Read(ctx, node, m.of.truly(path), offset, most)
}

// truly returns the actual location of a file at the path.
func (p *onePath) truly(path string) string {
	for staging, theirs := range p.mixed.Range {
		own, _ := p.targets.Load(staging)
		other, _ := p.targets.Load(theirs)
		if own != nil && other != nil && strings.HasPrefix(path, own.(string)) {
			return other.(string) + strings.TrimPrefix(path, own.(string))
		}
	}
	return path
}
