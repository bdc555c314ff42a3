// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/mutation"
)

type listRequest = csi.ListVolumesRequest

// faults are drivers that are wrong in one way each.
func faults() map[string]mutation.Fault {
	return map[string]mutation.Fault{
		"ListVolumes is not implemented": mutation.On(func(context.Context, mutation.Right, *listRequest) (*csi.ListVolumesResponse, error) {
			return nil, status.Error(codes.Unimplemented, "no")
		}),
		"lists the volumes of one zone only": listed(func(_ *listRequest, response *csi.ListVolumesResponse) {
			var kept []*csi.ListVolumesResponse_Entry
			for _, entry := range response.GetEntries() {
				if topology := entry.GetVolume().GetAccessibleTopology(); topology[0].GetSegments()[zoneKey] == "Z2" {
					kept = append(kept, entry)
				}
			}
			response.Entries = kept
		}),
		"lists its last volume twice": listed(func(_ *listRequest, response *csi.ListVolumesResponse) {
			if n := len(response.GetEntries()); n > 0 && response.GetNextToken() == "" {
				response.Entries = append(response.Entries, response.Entries[n-1])
			}
		}),
		"lists deleted volumes": first(remembered()),
		"ignores max_entries":   mutation.Asking(func(r *listRequest) { r.MaxEntries = max(-1, min(0, r.MaxEntries)) }),
		"lists no volumes by pages": mutation.RefusingSome(codes.Internal, "index out of range", func(r *listRequest) bool {
			return r.GetMaxEntries() > 0
		}),
		"has no small pages": mutation.RefusingSome(codes.InvalidArgument, "max_entries must be at least 5", func(r *listRequest) bool {
			return r.GetMaxEntries() > 0 && r.GetMaxEntries() < 5
		}),
		"ignores max_entries after the first page": mutation.Asking(func(r *listRequest) {
			if r.GetStartingToken() != "" {
				r.MaxEntries = 0
			}
		}),
		"has no next_token": listed(func(_ *listRequest, response *csi.ListVolumesResponse) { response.NextToken = "" }),
		"page 2 is empty": listed(func(r *listRequest, response *csi.ListVolumesResponse) {
			if r.GetStartingToken() != "" {
				response.Entries, response.NextToken = nil, ""
			}
		}),
		"page 2 is page 1 again": mutation.Asking(func(r *listRequest) {
			if r.GetMaxEntries() > 0 && r.GetStartingToken() != "" {
				r.StartingToken = ""
			}
		}),
		"the last entry of a page is passed over": offsets(func(all []*csi.ListVolumesResponse_Entry, from, most int) *csi.ListVolumesResponse {
			return paged(all, from, most, 1)
		}, number),
		"a page that is just full lacks the last": offsets(func(all []*csi.ListVolumesResponse_Entry, from, most int) *csi.ListVolumesResponse {
			if most == len(all) && most > 2 {
				return &csi.ListVolumesResponse{Entries: all[:most-1]}
			}
			return paged(all, from, most, 0)
		}, number),
		"its process ends with a number as token": mutation.RefusingSome(codes.Unavailable, "error reading from server: EOF", func(r *listRequest) bool {
			return r.GetStartingToken() == "0"
		}),
		"its process ends after a number as token": diesAfter("0"),
		"INVALID_ARGUMENT for an invalid token":    recoding(codes.Aborted, codes.InvalidArgument),
		"takes any token for the beginning":        startsOver(),
		"takes a negative max_entries for none":    forgivesNegative(),
		"INTERNAL for a negative max_entries":      recoding(codes.InvalidArgument, codes.Internal),
		"refuses its own next_token": mutation.RefusingSome(codes.Internal, "there is no such page", func(r *listRequest) bool {
			return r.GetStartingToken() != "" && r.GetStartingToken() != "csi-topo-no-such-token"
		}),
		"its pages are empty now and then": mutation.On(func(ctx context.Context, right mutation.Right, r *listRequest) (*csi.ListVolumesResponse, error) {
			const marked = "after-an-empty-page-"
			token, found := strings.CutPrefix(r.GetStartingToken(), marked)
			if !found && r.GetMaxEntries() > 0 && (token == "" || strings.HasPrefix(token, "memory-")) {
				return &csi.ListVolumesResponse{NextToken: marked + token}, nil
			}
			r.StartingToken = token
			return right.ListVolumes(ctx, r)
		}),
		"INTERNAL for a page after volumes came":        breaksPages(),
		"entries without accessible_topology":           entries(func(e *csi.ListVolumesResponse_Entry) { e.Volume.AccessibleTopology = nil }),
		"entries with another capacity":                 entries(func(e *csi.ListVolumesResponse_Entry) { e.Volume.CapacityBytes++ }),
		"entries with a negative capacity":              entries(func(e *csi.ListVolumesResponse_Entry) { e.Volume.CapacityBytes = -1 }),
		"entries with another volume_context":           entries(func(e *csi.ListVolumesResponse_Entry) { e.Volume.VolumeContext = map[string]string{"listed": "true"} }),
		"entries without a volume":                      entries(func(e *csi.ListVolumesResponse_Entry) { e.Volume = nil }),
		"entries without a status":                      entries(func(e *csi.ListVolumesResponse_Entry) { e.Status = nil }),
		"entries without nodes":                         entries(func(e *csi.ListVolumesResponse_Entry) { e.Status = &csi.ListVolumesResponse_VolumeStatus{} }),
		"entries keep a node after it is unpublished":   entries(func(e *csi.ListVolumesResponse_Entry) { e.Status.PublishedNodeIds = []string{"node-1"} }),
		"leaves out volume_context but in CreateVolume": forgetsContext(),
		"entries with a capacity of their own":          entries(func(e *csi.ListVolumesResponse_Entry) { e.Volume.CapacityBytes++ }).And(forgetsCapacity()),
		"ControllerGetVolume is not implemented": mutation.On(func(context.Context, mutation.Right, *csi.ControllerGetVolumeRequest) (*csi.ControllerGetVolumeResponse, error) {
			return nil, status.Error(codes.Unimplemented, "no")
		}),
		"gets a volume without a status":            getting(func(r *csi.ControllerGetVolumeResponse) { r.Status = nil }),
		"gets a volume without nodes":               getting(func(r *csi.ControllerGetVolumeResponse) { r.Status.PublishedNodeIds = nil }),
		"gets a volume without its topology":        getting(func(r *csi.ControllerGetVolumeResponse) { r.Volume.AccessibleTopology = nil }),
		"gets a volume with another volume_context": getting(func(r *csi.ControllerGetVolumeResponse) { r.Volume.VolumeContext = map[string]string{"got": "true"} }),
		"gets what never was":                       getsUnless(true),
		"gets what is deleted":                      getsUnless(false),
		"INTERNAL for what is deleted":              failsForDeleted(),
		"says nothing of a sound volume":            healthOf(func(r *csi.ControllerGetVolumeHealthResponse) { r.VolumeHealth = nil }),
		"says the same twice of a volume": healthOf(func(r *csi.ControllerGetVolumeHealthResponse) {
			r.VolumeHealth = ill(r.VolumeHealth.VolumeId, "Slow", "Slow")
		}),
		"says that volumes are ill, and not why": healthList(func(v *csi.Volume) *csi.VolumeHealth { return ill(v.GetVolumeId(), "") }),
		"lists the health of nothing":            healthList(func(*csi.Volume) *csi.VolumeHealth { return ill("", "Slow") }),
		"lists sound volumes as well":            healthList(func(v *csi.Volume) *csi.VolumeHealth { return ill(v.GetVolumeId()) }),
		"lists the health of deleted volumes":    second(remembered()),
		"does not page the health of volumes":    healthInOnePage(),
		"the pages of health never end": mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerListVolumeHealthRequest) (*csi.ControllerListVolumeHealthResponse, error) {
			const again = "again"
			if r.GetStartingToken() == again {
				r.StartingToken = ""
			}
			response, err := right.ControllerListVolumeHealth(ctx, r)
			if err == nil {
				response.NextToken = again
			}
			return response, err
		}),
		"forgives in the list of health": forgivesHealth(),
		"the health of no volume is good": mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerGetVolumeHealthRequest) (*csi.ControllerGetVolumeHealthResponse, error) {
			if response, err := right.ControllerGetVolumeHealth(ctx, r); err == nil {
				return response, nil
			}
			return &csi.ControllerGetVolumeHealthResponse{VolumeHealth: &csi.VolumeHealth{VolumeId: r.GetVolumeId()}}, nil
		}),
	}
}

const zoneKey = "topology.hostpath.topo.csi/zone"

func first(f, _ mutation.Fault) mutation.Fault  { return f }
func second(_, f mutation.Fault) mutation.Fault { return f }

// number reads a token that is an offset.
func number(token string) (int, error) {
	if token == "" {
		return 0, nil
	}
	from, err := strconv.Atoi(token)
	if err != nil || from < 0 {
		return 0, status.Errorf(codes.Aborted, "starting_token %q is no offset", token)
	}
	return from, nil
}

// paged is the page that begins at an offset; the one after it passes over so many.
func paged(all []*csi.ListVolumesResponse_Entry, from, most, over int) *csi.ListVolumesResponse {
	from = min(from, len(all))
	to := len(all)
	if most > 0 {
		to = min(to, from+most)
	}
	response := &csi.ListVolumesResponse{Entries: all[from:to]}
	if to < len(all) {
		response.NextToken = strconv.Itoa(to + over)
	}
	return response
}

// diesAfter is a driver whose process ends once it has answered the token, and then is started again.
func diesAfter(token string) mutation.Fault {
	dead := false
	return mutation.Checking(func(r *listRequest) error {
		if dead {
			dead = false
			return status.Error(codes.Unavailable, "connection refused")
		}
		dead = r.GetStartingToken() == token
		return nil
	})
}

func recoding(instead, other codes.Code) mutation.Fault {
	return mutation.Recoding[*listRequest](instead, other)
}

func startsOver() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *listRequest) (*csi.ListVolumesResponse, error) {
		response, err := right.ListVolumes(ctx, r)
		if status.Code(err) == codes.Aborted {
			r.StartingToken = ""
			return right.ListVolumes(ctx, r)
		}
		return response, err
	})
}

func forgivesNegative() mutation.Fault {
	return mutation.Asking(func(r *listRequest) { r.MaxEntries = max(0, r.MaxEntries) })
}

// breaksPages is a driver that does not know where a page begins once a volume was made.
func breaksPages() mutation.Fault {
	came := false
	return mutation.Checking(func(r *listRequest) error {
		if r.GetStartingToken() == "" {
			came = false
		} else if came {
			return status.Error(codes.Internal, "the list has changed")
		}
		return nil
	}).And(mutation.Asking(func(_ *csi.CreateVolumeRequest) { came = true }))
}

func healthInOnePage() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerListVolumeHealthRequest) (*csi.ControllerListVolumeHealthResponse, error) {
		response, err := right.ControllerListVolumeHealth(ctx, r)
		if err != nil {
			return nil, err
		}
		all, err := right.ListVolumes(ctx, &csi.ListVolumesRequest{})
		for _, entry := range all.GetEntries() {
			response.Entries = append(response.Entries, ill(entry.GetVolume().GetVolumeId(), "Slow"))
		}
		return response, err
	})
}

func forgivesHealth() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, _ *csi.ControllerListVolumeHealthRequest) (*csi.ControllerListVolumeHealthResponse, error) {
		return right.ControllerListVolumeHealth(ctx, &csi.ControllerListVolumeHealthRequest{})
	})
}

// forgetsCapacity is a driver that does not know how large its volume is when it has made it.
func forgetsCapacity() mutation.Fault {
	return mutation.Answering(func(_ *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse) {
		response.Volume.CapacityBytes = 0
	})
}

// forgetsContext is a driver that has a volume_context, and tells it once.
func forgetsContext() mutation.Fault {
	return mutation.Answering(func(_ *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse) {
		response.Volume.VolumeContext = map[string]string{"created": "true"}
	}).And(mutation.Asking(func(r *csi.ControllerPublishVolumeRequest) { r.VolumeContext = nil }))
}

// failsForDeleted makes a driver that fails for a volume which it has deleted.
func failsForDeleted() mutation.Fault {
	var deleted sync.Map
	return notGetting(func(r *csi.ControllerGetVolumeRequest) (*csi.ControllerGetVolumeResponse, error) {
		if _, found := deleted.Load(r.GetVolumeId()); found {
			return nil, status.Error(codes.Internal, "there is no such volume")
		}
		return nil, status.Error(codes.NotFound, "there is no such volume")
	}).And(mutation.Asking(func(r *csi.DeleteVolumeRequest) { deleted.Store(r.GetVolumeId(), true) }))
}

// getsUnless makes a driver that gets a volume which does not exist: one that was never made, or one that was.
func getsUnless(made bool) mutation.Fault {
	var mu sync.Mutex
	known := map[string]bool{}
	return notGetting(func(r *csi.ControllerGetVolumeRequest) (*csi.ControllerGetVolumeResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		if known[r.GetVolumeId()] == made {
			return nil, status.Error(codes.NotFound, "there is no such volume")
		}
		return &csi.ControllerGetVolumeResponse{Volume: &csi.Volume{VolumeId: r.GetVolumeId()}, Status: &csi.ControllerGetVolumeResponse_VolumeStatus{}}, nil
	}).And(mutation.Ending(func(_ *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse, err error) (*csi.CreateVolumeResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		known[response.GetVolume().GetVolumeId()] = true
		return response, err
	}))
}
