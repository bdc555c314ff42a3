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
func faults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"ListVolumes is not implemented": mutation.Wide(mutation.On(func(context.Context, mutation.Right, *listRequest) (*csi.ListVolumesResponse, error) {
			return nil, status.Error(codes.Unimplemented, "no")
		}),
			mutation.Fails("list_volumes_has_each_once list_volumes_max_entries list_volumes_pages list_volumes_capacity "+
				"list_volumes_published_nodes get_volume_as_listed", "LV-20"),
			mutation.Errs("list_volumes_while_volumes_change")),
		"lists the volumes of one zone only": mutation.Wide(listed(func(_ *listRequest, response *csi.ListVolumesResponse) {
			var kept []*csi.ListVolumesResponse_Entry
			for _, entry := range response.GetEntries() {
				if topology := entry.GetVolume().GetAccessibleTopology(); topology[0].GetSegments()[zoneKey] == "Z2" {
					kept = append(kept, entry)
				}
			}
			response.Entries = kept
		}), mutation.Fails("list_volumes_has_each_once", "LV-01")),
		"lists its last volume twice": mutation.Wide(listed(func(_ *listRequest, response *csi.ListVolumesResponse) {
			if n := len(response.GetEntries()); n > 0 && response.GetNextToken() == "" {
				response.Entries = append(response.Entries, response.Entries[n-1])
			}
		}),
			mutation.Warns("list_volumes_has_each_once", "LV-01"),
			mutation.Warns("list_volumes_pages list_volumes_in_one_page", "LV-04")),
		"lists deleted volumes": mutation.Wide(first(remembered()), mutation.Warns("list_volumes_without_deleted", "CV-07 LV-01")),
		"ignores max_entries": mutation.Wide(mutation.Asking(func(r *listRequest) { r.MaxEntries = max(-1, min(0, r.MaxEntries)) }),
			mutation.Fails("list_volumes_max_entries", "LV-03"),
			mutation.Passes("list_volumes_pages list_volumes_in_one_page")),
		"lists no volumes by pages": mutation.Wide(mutation.RefusingSome(codes.Internal, "index out of range", func(r *listRequest) bool {
			return r.GetMaxEntries() > 0
		}),
			mutation.Fails("list_volumes_pages", "LV-04"),
			mutation.Errs("list_volumes_max_entries")),
		"has no small pages": mutation.Wrong(mutation.RefusingSome(codes.InvalidArgument, "max_entries must be at least 5", func(r *listRequest) bool {
			return r.GetMaxEntries() > 0 && r.GetMaxEntries() < 5
		}),
			mutation.Warns("list_volumes_max_entries list_volumes_pages list_volumes_in_one_page", "LV-03"),
			mutation.Warns("list_volumes_while_volumes_change list_volumes_number_as_token", "LV-03")),
		"ignores max_entries after the first page": mutation.Wrong(mutation.Asking(func(r *listRequest) {
			if r.GetStartingToken() != "" {
				r.MaxEntries = 0
			}
		}), mutation.Fails("list_volumes_max_entries", "LV-03")),
		"has no next_token": mutation.Wrong(listed(func(_ *listRequest, response *csi.ListVolumesResponse) { response.NextToken = "" }),
			mutation.Fails("list_volumes_pages", "LV-04")),
		"page 2 is empty": mutation.Wrong(listed(func(r *listRequest, response *csi.ListVolumesResponse) {
			if r.GetStartingToken() != "" {
				response.Entries, response.NextToken = nil, ""
			}
		}), mutation.Fails("list_volumes_pages", "LV-04")),
		"page 2 is page 1 again": mutation.Wrong(mutation.Asking(func(r *listRequest) {
			if r.GetMaxEntries() > 0 && r.GetStartingToken() != "" {
				r.StartingToken = ""
			}
		}), mutation.Fails("list_volumes_pages", "LV-04")),
		"the last entry of a page is passed over": mutation.Wrong(offsets(func(all []*csi.ListVolumesResponse_Entry, from, most int) *csi.ListVolumesResponse {
			return paged(all, from, most, 1)
		}, number), mutation.Fails("list_volumes_pages", "LV-04")),
		"a page that is just full lacks the last": mutation.Wrong(offsets(func(all []*csi.ListVolumesResponse_Entry, from, most int) *csi.ListVolumesResponse {
			if most == len(all) && most > 2 {
				return &csi.ListVolumesResponse{Entries: all[:most-1]}
			}
			return paged(all, from, most, 0)
		}, number), mutation.Fails("list_volumes_in_one_page", "LV-04")),
		"its process ends with a number as token": mutation.Wrong(mutation.RefusingSome(codes.Unavailable, "error reading from server: EOF", func(r *listRequest) bool {
			return r.GetStartingToken() == "0"
		}), mutation.Fails("list_volumes_number_as_token", "GEN-08")),
		"its process ends after a number as token": mutation.Wrong(diesAfter("0"),
			mutation.Fails("list_volumes_number_as_token", "GEN-08")),
		"INVALID_ARGUMENT for an invalid token": mutation.Wrong(recoding(codes.Aborted, codes.InvalidArgument),
			mutation.Fails("list_volumes_invalid_token list_volumes_number_as_token", "LV-17")),
		"takes any token for the beginning": mutation.Wrong(startsOver(), mutation.Warns("list_volumes_invalid_token", "LV-17")),
		"takes a negative max_entries for none": mutation.Wrong(forgivesNegative(),
			mutation.Warns("list_volumes_negative_max_entries", "LV-18")),
		"INTERNAL for a negative max_entries": mutation.Wrong(recoding(codes.InvalidArgument, codes.Internal),
			mutation.Fails("list_volumes_negative_max_entries", "GEN-12")),
		"refuses its own next_token": mutation.Wrong(mutation.RefusingSome(codes.Internal, "there is no such page", func(r *listRequest) bool {
			return r.GetStartingToken() != "" && r.GetStartingToken() != "csi-topo-no-such-token"
		}),
			mutation.Fails("list_volumes_pages", "LV-04"),
			mutation.Fails("list_volumes_while_volumes_change list_volumes_number_as_token", "LV-17")),
		"its pages are empty now and then": mutation.Wrong(mutation.On(func(ctx context.Context, right mutation.Right, r *listRequest) (*csi.ListVolumesResponse, error) {
			const marked = "after-an-empty-page-"
			token, found := strings.CutPrefix(r.GetStartingToken(), marked)
			if !found && r.GetMaxEntries() > 0 && (token == "" || strings.HasPrefix(token, "memory-")) {
				return &csi.ListVolumesResponse{NextToken: marked + token}, nil
			}
			r.StartingToken = token
			return right.ListVolumes(ctx, r)
		}), mutation.Passes("list_volumes_pages list_volumes_in_one_page")),
		"INTERNAL for a page after volumes came": mutation.Wrong(breaksPages(),
			mutation.Fails("list_volumes_while_volumes_change list_volumes_number_as_token", "LV-17")),
		"entries without accessible_topology": mutation.Wrong(entries(func(e *csi.ListVolumesResponse_Entry) { e.Volume.AccessibleTopology = nil }),
			mutation.Passes("get_volume_as_listed")),
		"entries with another capacity": mutation.Wrong(entries(func(e *csi.ListVolumesResponse_Entry) { e.Volume.CapacityBytes++ }),
			mutation.Warns("list_volumes_capacity", "LV-08")),
		"entries with a negative capacity": mutation.Wrong(entries(func(e *csi.ListVolumesResponse_Entry) { e.Volume.CapacityBytes = -1 }),
			mutation.Fails("list_volumes_capacity", "VOL-02")),
		"entries with another volume_context": mutation.Wrong(entries(func(e *csi.ListVolumesResponse_Entry) { e.Volume.VolumeContext = map[string]string{"listed": "true"} }),
			mutation.Fails("list_volumes_capacity", "VOL-12")),
		"entries without a volume": mutation.Wide(entries(func(e *csi.ListVolumesResponse_Entry) { e.Volume = nil }),
			mutation.Fails("list_volumes_has_each_once", "LV-08")),
		"entries without a status": mutation.Wrong(entries(func(e *csi.ListVolumesResponse_Entry) { e.Status = nil }),
			mutation.Fails("list_volumes_published_nodes", "LV-10")),
		"entries without nodes": mutation.Wrong(entries(func(e *csi.ListVolumesResponse_Entry) { e.Status = &csi.ListVolumesResponse_VolumeStatus{} }),
			mutation.Fails("list_volumes_published_nodes", "LV-10")),
		"entries keep a node after it is unpublished": mutation.Wrong(entries(func(e *csi.ListVolumesResponse_Entry) { e.Status.PublishedNodeIds = []string{"node-1"} }),
			mutation.Warns("list_volumes_published_nodes", "LV-07")),
		"leaves out volume_context but in CreateVolume": mutation.Wrong(forgetsContext(),
			mutation.Warns("list_volumes_capacity get_volume_as_created", "VOL-12")),
		"entries with a capacity of their own": mutation.Wrong(entries(func(e *csi.ListVolumesResponse_Entry) { e.Volume.CapacityBytes++ }).And(forgetsCapacity()),
			mutation.Warns("get_volume_as_listed", "LV-08")),
		"ControllerGetVolume is not implemented": mutation.Wide(mutation.On(func(context.Context, mutation.Right, *csi.ControllerGetVolumeRequest) (*csi.ControllerGetVolumeResponse, error) {
			return nil, status.Error(codes.Unimplemented, "no")
		}),
			mutation.Fails("get_volume_as_created", "LV-11"),
			mutation.Errs("get_volume_as_listed get_volume_published_nodes")),
		"gets a volume without a status": mutation.Wide(getting(func(r *csi.ControllerGetVolumeResponse) { r.Status = nil }),
			mutation.Fails("get_volume_as_created", "LV-19"),
			mutation.Fails("get_volume_published_nodes", "LV-14")),
		"gets a volume without nodes": mutation.Wrong(getting(func(r *csi.ControllerGetVolumeResponse) { r.Status.PublishedNodeIds = nil }),
			mutation.Fails("get_volume_published_nodes", "LV-14")),
		"gets a volume without its topology": mutation.Wrong(getting(func(r *csi.ControllerGetVolumeResponse) { r.Volume.AccessibleTopology = nil }),
			mutation.Passes("get_volume_as_created get_volume_as_listed")),
		"gets a volume with another volume_context": mutation.Wrong(getting(func(r *csi.ControllerGetVolumeResponse) { r.Volume.VolumeContext = map[string]string{"got": "true"} }),
			mutation.Fails("get_volume_as_created", "VOL-12")),
		"gets what never was":          mutation.Wrong(getsUnless(true), mutation.Fails("get_volume_unknown", "LV-13")),
		"gets what is deleted":         mutation.Wrong(getsUnless(false), mutation.Warns("get_volume_unknown", "LV-13")),
		"INTERNAL for what is deleted": mutation.Wrong(failsForDeleted(), mutation.Fails("get_volume_unknown", "LV-13")),
		"says nothing of a sound volume": mutation.Wrong(healthOf(func(r *csi.ControllerGetVolumeHealthResponse) { r.VolumeHealth = nil }),
			mutation.Fails("volume_health_of_new_volume", "VH-14")),
		"says the same twice of a volume": mutation.Wrong(healthOf(func(r *csi.ControllerGetVolumeHealthResponse) {
			r.VolumeHealth = ill(r.VolumeHealth.VolumeId, "Slow", "Slow")
		}), mutation.Fails("volume_health_of_new_volume", "VH-09")),
		"says that volumes are ill, and not why": mutation.Wrong(healthList(func(v *csi.Volume) *csi.VolumeHealth { return ill(v.GetVolumeId(), "") }),
			mutation.Fails("volume_health_list", "VH-08")),
		"lists the health of nothing": mutation.Wrong(healthList(func(*csi.Volume) *csi.VolumeHealth { return ill("", "Slow") }),
			mutation.Fails("volume_health_list", "VH-07")),
		"lists sound volumes as well": mutation.Wrong(healthList(func(v *csi.Volume) *csi.VolumeHealth { return ill(v.GetVolumeId()) }),
			mutation.Warns("volume_health_list", "VH-04")),
		"lists the health of deleted volumes": mutation.Wrong(second(remembered()),
			mutation.Warns("volume_health_list_of_deleted", "VH-03")),
		"does not page the health of volumes": mutation.Wrong(healthInOnePage(), mutation.Fails("volume_health_list", "VH-05")),
		"the pages of health never end": mutation.Wide(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerListVolumeHealthRequest) (*csi.ControllerListVolumeHealthResponse, error) {
			const again = "again"
			if r.GetStartingToken() == again {
				r.StartingToken = ""
			}
			response, err := right.ControllerListVolumeHealth(ctx, r)
			if err == nil {
				response.NextToken = again
			}
			return response, err
		}), mutation.Fails("volume_health_list", "VH-06")),
		"forgives in the list of health": mutation.Wrong(forgivesHealth(),
			mutation.Warns("volume_health_list_invalid_token", "VH-11"),
			mutation.Warns("volume_health_list_negative_max_entries", "VH-10")),
		"the health of no volume is good": mutation.Wrong(mutation.On(func(ctx context.Context, right mutation.Right, r *csi.ControllerGetVolumeHealthRequest) (*csi.ControllerGetVolumeHealthResponse, error) {
			if response, err := right.ControllerGetVolumeHealth(ctx, r); err == nil {
				return response, nil
			}
			return &csi.ControllerGetVolumeHealthResponse{VolumeHealth: &csi.VolumeHealth{VolumeId: r.GetVolumeId()}}, nil
		}), mutation.Fails("volume_health_unknown", "VH-15")),
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
