// SPDX-License-Identifier: Apache-2.0

package vectors_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/vectors"
)

// said is an answer with the location of a volume or snapshot, and its RPC.
type said struct {
	rpc    string
	answer vectors.Answer
}

// asking sends the request of a vector to a driver with the fault in front of it, and then asks for the location of the result.
// It returns nothing if that is not possible: the existing volume was not created as the vector says, or no snapshot can have
// these topologies.
type asking func(ctx context.Context, f *fleet, d *driver, fault mutation.Fault, v vectors.Vector) []said

// askVolume asks for a volume.
func askVolume(ctx context.Context, f *fleet, d *driver, fault mutation.Fault, v vectors.Vector) []said {
	controller := csi.NewControllerClient(fault.In(d.conn))
	var id string
	created, asked := f.askTwice(v, func(required *csi.TopologyRequirement) ([]*csi.Topology, error) {
		response, err := controller.CreateVolume(ctx, creation(v.ID, volumeBytes, v.X, required))
		id = response.GetVolume().GetVolumeId()
		return response.GetVolume().GetAccessibleTopology(), err
	})
	if !asked {
		return nil
	}
	all := []said{{"CreateVolume", created}}
	if id == "" {
		return all
	}
	if got, err := controller.ControllerGetVolume(ctx, &csi.ControllerGetVolumeRequest{VolumeId: id}); err == nil {
		all = append(all, said{"ControllerGetVolume", answered(got.GetVolume().GetAccessibleTopology(), nil)})
	}
	list, err := controller.ListVolumes(ctx, &csi.ListVolumesRequest{})
	for _, entry := range list.GetEntries() {
		if volume := entry.GetVolume(); err == nil && volume.GetVolumeId() == id {
			all = append(all, said{"ListVolumes", answered(volume.GetAccessibleTopology(), nil)})
		}
	}
	return all
}

// askSnapshot asks for a snapshot: its volume has its data in all segments that are not full.
func askSnapshot(ctx context.Context, f *fleet, d *driver, fault mutation.Fault, v vectors.Vector) []said {
	isFull := func(name string) bool { return slices.Contains(v.Full, name) }
	if d.source == "" || slices.ContainsFunc(v.Existing, isFull) {
		return nil
	}
	controller := csi.NewControllerClient(fault.In(d.conn))
	var id string
	created, asked := f.askTwice(v, func(required *csi.TopologyRequirement) ([]*csi.Topology, error) {
		response, err := controller.CreateSnapshot(ctx, &csi.CreateSnapshotRequest{
			SourceVolumeId: d.source, Name: v.ID, Parameters: parameters(v.X), AccessibilityRequirements: required,
		})
		id = response.GetSnapshot().GetSnapshotId()
		return response.GetSnapshot().GetAccessibleTopology(), err
	})
	if !asked {
		return nil
	}
	all := []said{{"CreateSnapshot", created}}
	if id == "" {
		return all
	}
	if got, err := controller.GetSnapshot(ctx, &csi.GetSnapshotRequest{SnapshotId: id}); err == nil {
		all = append(all, said{"GetSnapshot", answered(got.GetSnapshot().GetAccessibleTopology(), nil)})
	}
	list, err := controller.ListSnapshots(ctx, &csi.ListSnapshotsRequest{SnapshotId: id})
	for _, entry := range list.GetEntries() {
		if err == nil {
			all = append(all, said{"ListSnapshots", answered(entry.GetSnapshot().GetAccessibleTopology(), nil)})
		}
	}
	return all
}

// askTwice creates what exists already, and then sends the request of the vector. asked is false if the first was not created.
func (f *fleet) askTwice(v vectors.Vector, ask func(*csi.TopologyRequirement) ([]*csi.Topology, error)) (answer vectors.Answer, asked bool) {
	if len(v.Existing) > 0 {
		existing := vectors.Vector{Segments: v.Segments, Allowed: vectors.Answers{Volumes: [][]string{v.Existing}}}
		if f.file.Judge(existing, repeated(func() ([]*csi.Topology, error) { return ask(f.exactly(v.Existing)) })) != vectors.Allowed {
			return vectors.Answer{}, false
		}
	}
	return repeated(func() ([]*csi.Topology, error) { return ask(f.required(v)) }), true
}

// repeated repeats the call while the answer requests that, as a CO does.
func repeated(ask func() ([]*csi.Topology, error)) vectors.Answer {
	const times = 5
	var answer vectors.Answer
	for range times {
		answer = answered(ask())
		if !slices.Contains([]string{"ABORTED", "DEADLINE_EXCEEDED", "UNAVAILABLE"}, answer.Code) {
			break
		}
	}
	return answer
}

// answered returns an answer in the form of the vectors.
func answered(topologies []*csi.Topology, err error) vectors.Answer {
	answer := vectors.Answer{Code: model.CodeName(status.Code(err))}
	if status.Code(err) == codes.OK {
		for _, topology := range topologies {
			answer.Topologies = append(answer.Topologies, topology.GetSegments())
		}
	}
	return answer
}

// spelled returns an answer with the names of its topologies, or with the keys of topologies that have no name.
func (f *fleet) spelled(answer vectors.Answer) string {
	if answer.Code != "OK" {
		return answer.Code
	}
	names := []string{}
	for _, topology := range answer.Topologies {
		name := fmt.Sprint(topology)
		for known, other := range f.file.Topologies {
			if maps.Equal(topology, other) {
				name = known
			}
		}
		names = append(names, strings.ReplaceAll(name, prefix, ""))
	}
	return fmt.Sprint(names)
}
