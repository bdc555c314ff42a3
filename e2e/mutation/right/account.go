// SPDX-License-Identifier: Apache-2.0

package right

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// account simulates a customer's account with a cloud that has a quota, and whose zones are out of stock in turn.
type account struct {
	mu      sync.Mutex
	calls   int
	volumes map[string][]string // the zones of each volume, by its name
	names   map[string]string   // the name of each volume, by its id
}

const (
	// quota is the maximum number of volumes of the account in a zone.
	quota = 12
	// stocked is the number of volumes between two stock-outs, and soldOut the duration of one.
	stocked, soldOut = 9, 2
)

func (a *account) fault() mutation.Fault {
	a.volumes, a.names = map[string][]string{}, map[string]string{}
	return mutation.On(a.create).And(mutation.On(a.delete))
}

// create makes the volume if the account may have one, or answers RESOURCE_EXHAUSTED (CREATE-08). Existing volumes are
// returned regardless of the quota, and errors in the request take precedence.
func (a *account) create(ctx context.Context, right mutation.Right, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	response, err := right.CreateVolume(ctx, r)
	if err != nil {
		return nil, err
	}
	_, made := a.volumes[r.GetName()]
	if closed := a.closed(); !made && slices.ContainsFunc(zonesOf(response), func(zone string) bool { return slices.Contains(closed, zone) }) {
		if _, err := right.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: response.GetVolume().GetVolumeId()}); err != nil {
			return nil, err
		}
		if err := keepOut(r, closed); err != nil {
			return nil, err
		}
		if response, err = right.CreateVolume(ctx, r); err != nil {
			return nil, err
		}
	}
	a.volumes[r.GetName()], a.names[response.GetVolume().GetVolumeId()] = zonesOf(response), r.GetName()
	return response, nil
}

func zonesOf(response *csi.CreateVolumeResponse) []string {
	var zones []string
	for _, term := range response.GetVolume().GetAccessibleTopology() {
		zones = append(zones, mutation.ZoneOf(term))
	}
	return zones
}

func (a *account) delete(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
	a.mu.Lock() // a volume that gets the name meanwhile would be forgotten
	defer a.mu.Unlock()
	response, err := right.DeleteVolume(ctx, r)
	if err == nil {
		delete(a.volumes, a.names[r.GetVolumeId()])
		delete(a.names, r.GetVolumeId())
	}
	return response, err
}

// closed returns the zones that currently have no room for the account.
func (a *account) closed() []string {
	all := []string{"Z2", "Z3", "Z4", "Z5"}
	var closed []string
	if a.calls++; a.calls%(stocked+soldOut) < soldOut {
		closed = append(closed, all[a.calls/(stocked+soldOut)%len(all)])
	}
	for _, zone := range all {
		in := 0
		for _, zones := range a.volumes {
			if slices.Contains(zones, zone) {
				in++
			}
		}
		if in >= quota {
			closed = append(closed, zone)
		}
	}
	return closed
}

// keepOut removes the closed zones from the request, or returns an error if too few are left.
func keepOut(r *csi.CreateVolumeRequest, closed []string) error {
	isClosed := func(t *csi.Topology) bool { return slices.Contains(closed, mutation.ZoneOf(t)) }
	if r.GetAccessibilityRequirements() == nil {
		r.AccessibilityRequirements = &csi.TopologyRequirement{}
	}
	requirement := r.GetAccessibilityRequirements()
	x := 1
	if r.GetParameters()["zones"] == "2" {
		x = 2
	}
	if len(requirement.GetRequisite()) == 0 { // any zone will do (PF-06)
		requirement.Requisite = regionZones()
		for _, term := range requirement.GetPreferred() {
			if !slices.ContainsFunc(requirement.GetRequisite(), func(t *csi.Topology) bool { return mutation.ZoneOf(t) == mutation.ZoneOf(term) }) {
				requirement.Requisite = append(requirement.Requisite, term)
			}
		}
	}
	left := slices.DeleteFunc(slices.Clone(requirement.GetRequisite()), isClosed)
	if len(left) < len(requirement.GetRequisite()) && len(left) < x {
		return status.Errorf(codes.ResourceExhausted, "zones %v are out of stock, or have as many volumes as the quota allows, and %d of the requisite topologies are left for %d", closed, len(left), x)
	}
	if len(left) == len(requirement.GetRequisite()) { // only the closed one was chosen outside of requisite (TR-16)
		return status.Errorf(codes.ResourceExhausted, "zones %v are out of stock, or have as many volumes as the quota allows: there is none for the second copy", closed)
	}
	requirement.Requisite = left
	requirement.Preferred = slices.DeleteFunc(requirement.GetPreferred(), isClosed)
	return nil
}

// regionZones returns all zones.
func regionZones() []*csi.Topology {
	var terms []*csi.Topology
	for _, zone := range []string{"Z2", "Z3", "Z4", "Z5"} {
		terms = append(terms, mutation.Zone(zone))
	}
	return terms
}

func crowded() []Driver {
	const others, perPage = 1500, 500
	return []Driver{{Name: "lists-an-account",
		Is:     "lists the many volumes of others in its account among its own, in pages of the back end's size",
		Driver: mutation.Driver{Profile: sharedDisks, Fault: Account(others, perPage)}}}
}

// Account returns a driver that lists the given number of volumes of other users among its own, and limits
// the size of its pages.
func Account(others int, perPage int32) mutation.Fault {
	theirs := make([]*csi.ListVolumesResponse_Entry, others)
	for i := range theirs {
		theirs[i] = &csi.ListVolumesResponse_Entry{
			Volume: &csi.Volume{VolumeId: fmt.Sprintf("vol-of-others-%08x", i), CapacityBytes: 1 << 30,
				VolumeContext: map[string]string{"type": "ssd"}, AccessibleTopology: []*csi.Topology{mutation.Zone("Z2")}},
			Status: &csi.ListVolumesResponse_VolumeStatus{},
		}
	}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
		own, err := allVolumes(ctx, right, r)
		if err != nil {
			return nil, err
		}
		if r.GetMaxEntries() == 0 || r.GetMaxEntries() > perPage {
			r.MaxEntries = perPage
		}
		return pageOfVolumes(append(own, theirs...), r)
	})
}
