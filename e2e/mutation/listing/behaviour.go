// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

type (
	listRequest     = csi.ListVolumesRequest
	listResponse    = csi.ListVolumesResponse
	listEntry       = csi.ListVolumesResponse_Entry
	getRequest      = csi.ControllerGetVolumeRequest
	getResponse     = csi.ControllerGetVolumeResponse
	healthRequest   = csi.ControllerGetVolumeHealthRequest
	healthResponse  = csi.ControllerGetVolumeHealthResponse
	healthsRequest  = csi.ControllerListVolumeHealthRequest
	healthsResponse = csi.ControllerListVolumeHealthResponse
)

// offsets returns a driver whose tokens are the index of the next entry, as in some drivers.
func offsets(page func(all []*listEntry, from, most int) *listResponse, parse func(string) (int, error)) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *listRequest) (*listResponse, error) {
		if r.GetMaxEntries() < 0 {
			return nil, status.Error(codes.InvalidArgument, "max_entries is negative")
		}
		from, err := parse(r.GetStartingToken())
		if err != nil {
			return nil, err
		}
		all, err := right.ListVolumes(ctx, &listRequest{})
		if err != nil {
			return nil, err
		}
		return page(all.GetEntries(), from, int(r.GetMaxEntries())), nil
	})
}

// healthList returns a driver that answers ControllerListVolumeHealth with the result of say for each of its volumes.
func healthList(say func(*csi.Volume) *csi.VolumeHealth) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *healthsRequest) (*healthsResponse, error) {
		response, err := right.ControllerListVolumeHealth(ctx, r)
		if err != nil {
			return nil, err
		}
		all, err := right.ListVolumes(ctx, &listRequest{MaxEntries: r.GetMaxEntries(), StartingToken: r.GetStartingToken()})
		for _, entry := range all.GetEntries() {
			response.Entries = append(response.Entries, say(entry.GetVolume()))
		}
		response.NextToken = all.GetNextToken()
		return response, err
	})
}

// ill returns the health of an unhealthy volume.
func ill(id string, reasons ...string) *csi.VolumeHealth {
	health := &csi.VolumeHealth{VolumeId: id}
	for _, reason := range reasons {
		health.HealthStatuses = append(health.HealthStatuses, &csi.VolumeHealth_VolumeHealthEntry{Status: csi.VolumeHealthErrorType_DEGRADED, Reason: reason})
	}
	return health
}

// remembering makes a driver with a fault that knows the deleted volumes.
func remembering(fault func(deleted *[]*csi.Volume) mutation.Fault) mutation.Fault {
	volumes, deleted := map[string]*csi.Volume{}, []*csi.Volume{}
	return fault(&deleted).And(mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
		volumes[v.GetVolumeId()] = v
	})).And(mutation.Asking(func(r *csi.DeleteVolumeRequest) {
		if v := volumes[r.GetVolumeId()]; v != nil && !slices.Contains(deleted, v) {
			deleted = append(deleted, v)
		}
	}))
}

// attachedOnly returns drivers that only list attached volumes, like vsphere-csi-driver.
func attachedOnly() map[string]mutation.Expectation {
	listsAttached := func(also func(*listEntry)) mutation.Fault {
		return mutation.Answering(func(_ *listRequest, response *listResponse) {
			response.Entries = slices.DeleteFunc(response.GetEntries(), func(e *listEntry) bool { return len(e.GetStatus().GetPublishedNodeIds()) == 0 })
			for _, entry := range response.Entries {
				also(entry)
			}
		})
	}
	return map[string]mutation.Expectation{
		"lists attached volumes only": mutation.Wide(listsAttached(func(*listEntry) {}),
			mutation.Fails("list_volumes_has_each_once list_volumes_capacity", "LV-01"),
			mutation.Skips("list_volumes_max_entries", suite.ByEnvironment),
			mutation.Passes("list_volumes_published_nodes")).Seen("vsphere-csi-driver bf8090256"),
		"lists attached volumes only, and not where": mutation.Wide(listsAttached(func(e *listEntry) { e.Status = nil }),
			mutation.Fails("list_volumes_published_nodes", "LV-10")),
		"an empty id for the node of a volume that is on none": mutation.Wrong(mutation.ListingEntries(func(e *listEntry) {
			if len(e.GetStatus().GetPublishedNodeIds()) == 0 {
				e.Status.PublishedNodeIds = []string{""}
			}
		}), mutation.Warns("list_volumes_published_nodes", "LV-07")),
		"an empty id for the node of a volume that is on none, in ControllerGetVolume": mutation.Wrong(
			mutation.Answering(func(_ *getRequest, response *getResponse) {
				if len(response.GetStatus().GetPublishedNodeIds()) == 0 {
					response.Status.PublishedNodeIds = []string{""}
				}
			}), mutation.Warns("get_volume_published_nodes", "LV-14")),
	}
}
