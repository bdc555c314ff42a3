// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"context"
	"slices"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

// answering is a driver with another ListVolumes.
func answering(list func(context.Context, mutation.Right, *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error)) mutation.Fault {
	return mutation.On(list)
}

// entries is a driver whose list says something else of its volumes.
func entries(change func(*csi.ListVolumesResponse_Entry)) mutation.Fault {
	return listed(func(_ *csi.ListVolumesRequest, response *csi.ListVolumesResponse) {
		for _, entry := range response.GetEntries() {
			change(entry)
		}
	})
}

// listed is a driver that answers ListVolumes with something else.
func listed(change func(*csi.ListVolumesRequest, *csi.ListVolumesResponse)) mutation.Fault {
	return mutation.Answering(change)
}

// offsets is a driver that pages by the place of the first entry in the list of all, as some do.
func offsets(page func(all []*csi.ListVolumesResponse_Entry, from, most int) *csi.ListVolumesResponse, parse func(string) (int, error)) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ListVolumesRequest) (*csi.ListVolumesResponse, error) {
		if r.GetMaxEntries() < 0 {
			return nil, status.Error(codes.InvalidArgument, "max_entries is negative")
		}
		from, err := parse(r.GetStartingToken())
		if err != nil {
			return nil, err
		}
		all, err := right.ListVolumes(ctx, &csi.ListVolumesRequest{})
		if err != nil {
			return nil, err
		}
		return page(all.GetEntries(), from, int(r.GetMaxEntries())), nil
	})
}

// getting is a driver that answers ControllerGetVolume with something else.
func getting(change func(*csi.ControllerGetVolumeResponse)) mutation.Fault {
	return mutation.Answering(func(_ *csi.ControllerGetVolumeRequest, response *csi.ControllerGetVolumeResponse) { change(response) })
}

// notGetting is a driver that answers ControllerGetVolume otherwise for what it does not find.
func notGetting(otherwise func(*csi.ControllerGetVolumeRequest) (*csi.ControllerGetVolumeResponse, error)) mutation.Fault {
	return mutation.Ending(func(r *csi.ControllerGetVolumeRequest, response *csi.ControllerGetVolumeResponse, err error) (*csi.ControllerGetVolumeResponse, error) {
		if status.Code(err) == codes.NotFound {
			return otherwise(r)
		}
		return response, err
	})
}

// healthOf is a driver that answers ControllerGetVolumeHealth with something else.
func healthOf(change func(*csi.ControllerGetVolumeHealthResponse)) mutation.Fault {
	return mutation.Answering(func(_ *csi.ControllerGetVolumeHealthRequest, response *csi.ControllerGetVolumeHealthResponse) {
		change(response)
	})
}

// healthList is a driver that answers ControllerListVolumeHealth with what is said of each of its volumes.
func healthList(say func(*csi.Volume) *csi.VolumeHealth) mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerListVolumeHealthRequest) (*csi.ControllerListVolumeHealthResponse, error) {
		response, err := right.ControllerListVolumeHealth(ctx, r)
		if err != nil {
			return nil, err
		}
		all, err := right.ListVolumes(ctx, &csi.ListVolumesRequest{MaxEntries: r.GetMaxEntries(), StartingToken: r.GetStartingToken()})
		for _, entry := range all.GetEntries() {
			response.Entries = append(response.Entries, say(entry.GetVolume()))
		}
		response.NextToken = all.GetNextToken()
		return response, err
	})
}

// ill is what a driver says of a volume with which something is wrong.
func ill(id string, reasons ...string) *csi.VolumeHealth {
	health := &csi.VolumeHealth{VolumeId: id}
	for _, reason := range reasons {
		health.HealthStatuses = append(health.HealthStatuses, &csi.VolumeHealth_VolumeHealthEntry{Status: csi.VolumeHealthErrorType_DEGRADED, Reason: reason})
	}
	return health
}

// remembered is a driver that still has what was deleted: in its list, and alone.
func remembered() (list, health mutation.Fault) {
	volumes, deleted := map[string]*csi.Volume{}, []*csi.Volume{}
	created := mutation.Answering(func(_ *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse) {
		volumes[response.GetVolume().GetVolumeId()] = response.GetVolume()
	})
	gone := mutation.Asking(func(r *csi.DeleteVolumeRequest) {
		if v := volumes[r.GetVolumeId()]; v != nil && !slices.Contains(deleted, v) {
			deleted = append(deleted, v)
		}
	})
	list = created.And(gone).And(listed(func(_ *csi.ListVolumesRequest, response *csi.ListVolumesResponse) {
		if response.GetNextToken() == "" {
			for _, v := range deleted {
				response.Entries = append(response.Entries, &csi.ListVolumesResponse_Entry{Volume: v, Status: &csi.ListVolumesResponse_VolumeStatus{}})
			}
		}
	}))
	health = created.And(gone).And(mutation.Ending(func(r *csi.ControllerListVolumeHealthRequest, response *csi.ControllerListVolumeHealthResponse, err error) (*csi.ControllerListVolumeHealthResponse, error) {
		if err != nil || r.GetMaxEntries() > 0 {
			return response, err
		}
		for _, v := range deleted {
			response.Entries = append(response.Entries, ill(v.GetVolumeId(), "Gone"))
		}
		return response, nil
	}))
	return list, health
}
