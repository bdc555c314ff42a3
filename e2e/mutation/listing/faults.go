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

// faults returns drivers that are wrong in one way each.
func faults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"ListVolumes is not implemented": mutation.Wide(mutation.Unimplemented("ListVolumes"),
			mutation.Fails("list_volumes_has_each_once list_volumes_max_entries list_volumes_pages list_volumes_capacity "+
				"list_volumes_published_nodes list_volumes_while_volumes_change get_volume_as_listed", "LV-20")),
		"lists the volumes of one zone only": mutation.Wide(mutation.Answering(func(_ *listRequest, response *listResponse) {
			var kept []*listEntry
			for _, entry := range response.GetEntries() {
				if in := entry.GetVolume().GetAccessibleTopology(); mutation.ZoneOf(in[0]) == "Z2" {
					kept = append(kept, entry)
				}
			}
			response.Entries = kept
		}), mutation.Fails("list_volumes_has_each_once", "LV-01")),
		"lists its last volume twice": mutation.Wide(mutation.Answering(func(_ *listRequest, response *listResponse) {
			if n := len(response.GetEntries()); n > 0 && response.GetNextToken() == "" {
				response.Entries = append(response.Entries, response.Entries[n-1])
			}
		}), mutation.Warns("list_volumes_has_each_once", "LV-01"),
			mutation.Warns("list_volumes_pages list_volumes_in_one_page", "LV-04")),
		"lists deleted volumes": mutation.Wide(remembering(func(deleted *[]*csi.Volume) mutation.Fault {
			return mutation.Answering(func(_ *listRequest, response *listResponse) {
				if response.GetNextToken() == "" {
					for _, v := range *deleted {
						response.Entries = append(response.Entries, &listEntry{Volume: v, Status: &csi.ListVolumesResponse_VolumeStatus{}})
					}
				}
			})
		}), mutation.Warns("list_volumes_without_deleted", "CV-07 LV-01")),
		"ignores max_entries": mutation.Wide(mutation.Asking(func(r *listRequest) { r.MaxEntries = max(-1, min(0, r.MaxEntries)) }),
			mutation.Fails("list_volumes_max_entries", "LV-03"),
			mutation.Passes("list_volumes_pages list_volumes_in_one_page")).Seen("csi-cloudscale 5434e1b"),
		"lists no volumes by pages": mutation.Wide(mutation.RefusingSome(codes.Internal, "index out of range", func(r *listRequest) bool {
			return r.GetMaxEntries() > 0
		}), mutation.Fails("list_volumes_pages", "LV-04"), mutation.Errs("list_volumes_max_entries")),
		"has no small pages": mutation.Wrong(
			mutation.RefusingSome(codes.InvalidArgument, "max_entries must be at least 5", func(r *listRequest) bool {
				return r.GetMaxEntries() > 0 && r.GetMaxEntries() < 5
			}), mutation.Warns("list_volumes_max_entries list_volumes_pages list_volumes_in_one_page", "LV-03"),
			mutation.Warns("list_volumes_while_volumes_change list_volumes_number_as_token list_volumes_invalid_token_later", "LV-03")),
		"ignores max_entries after the first page": mutation.Wrong(mutation.Asking(func(r *listRequest) {
			if r.GetStartingToken() != "" {
				r.MaxEntries = 0
			}
		}), mutation.Fails("list_volumes_max_entries", "LV-03")),
		"has no next_token": mutation.Wrong(mutation.Answering(func(_ *listRequest, response *listResponse) { response.NextToken = "" }),
			mutation.Fails("list_volumes_pages", "LV-04")).Seen("csi-driver-host-path v1.18.0"),
		"page 2 is empty": mutation.Wrong(mutation.Answering(func(r *listRequest, response *listResponse) {
			if r.GetStartingToken() != "" {
				response.Entries, response.NextToken = nil, ""
			}
		}), mutation.Fails("list_volumes_pages", "LV-04")).Seen("csi-driver-host-path"),
		"page 2 is page 1 again": mutation.Wrong(mutation.Asking(func(r *listRequest) {
			if r.GetMaxEntries() > 0 && r.GetStartingToken() != "" {
				r.StartingToken = ""
			}
		}), mutation.Fails("list_volumes_pages", "LV-04"), mutation.Fails("list_volumes_invalid_token_later", "LV-17")),
		"the last entry of a page is passed over": mutation.Wrong(offsets(func(all []*listEntry, from, most int) *listResponse {
			return paged(all, from, most, 1)
		}, number), mutation.Fails("list_volumes_pages", "LV-04")).Seen("csi-digitalocean 0711283d"),
		"a page that is just full lacks the last": mutation.Wrong(offsets(func(all []*listEntry, from, most int) *listResponse {
			if most == len(all) && most > 2 {
				return &listResponse{Entries: all[:most-1]}
			}
			return paged(all, from, most, 0)
		}, number), mutation.Fails("list_volumes_in_one_page", "LV-04")),
		"fails for a page beyond the end": mutation.Wrong(
			mutation.On(func(ctx context.Context, right mutation.Right, r *listRequest) (*listResponse, error) {
				from, err := number(r.GetStartingToken())
				if err != nil || r.GetMaxEntries() < 0 {
					return right.ListVolumes(ctx, r)
				}
				all, err := right.ListVolumes(ctx, &listRequest{})
				if from > len(all.GetEntries()) {
					return nil, status.Error(codes.Internal, "slice bounds out of range")
				}
				return paged(all.GetEntries(), from, int(r.GetMaxEntries()), 0), err
			}), mutation.Fails("list_volumes_while_volumes_change list_volumes_number_as_token", "LV-17")),
		"its process ends with a number as token": mutation.Wrong(
			mutation.RefusingSome(codes.Unavailable, "error reading from server: EOF", func(r *listRequest) bool {
				_, err := strconv.Atoi(r.GetStartingToken())
				return err == nil
			}), mutation.Fails("list_volumes_number_as_token", "GEN-08")).Seen("csi-driver-host-path v1.18.0"),
		"its process ends after a number as token": mutation.Wrong(diesAfterNumbers(),
			mutation.Fails("list_volumes_number_as_token", "GEN-08")),
		"INVALID_ARGUMENT for an invalid token": mutation.Wrong(mutation.Recoding[*listRequest](codes.Aborted, codes.InvalidArgument),
			mutation.Fails("list_volumes_invalid_token list_volumes_invalid_token_later list_volumes_number_as_token", "LV-17")),
		"takes any token for the beginning": mutation.Wrong(
			mutation.Retrying(codes.Aborted, func(r *listRequest) { r.StartingToken = "" }), mutation.Warns("list_volumes_invalid_token", "LV-17")),
		"takes a negative max_entries for none": mutation.Wrong(
			mutation.Asking(func(r *listRequest) { r.MaxEntries = max(0, r.MaxEntries) }),
			mutation.Warns("list_volumes_negative_max_entries", "LV-18")),
		"INTERNAL for a negative max_entries": mutation.Wrong(mutation.Recoding[*listRequest](codes.InvalidArgument, codes.Internal),
			mutation.Warns("list_volumes_negative_max_entries", "GEN-12")),
		"refuses its own next_token": mutation.Wrong(refusesItsTokens(), mutation.Fails("list_volumes_pages", "LV-04"),
			mutation.Fails("list_volumes_while_volumes_change", "LV-17")),
		"its pages are empty now and then": mutation.Wrong(
			emptiesPages(), mutation.Passes("list_volumes_pages list_volumes_in_one_page")),
		"INTERNAL for a page after volumes came": mutation.Wrong(breaksPages(),
			mutation.Fails("list_volumes_while_volumes_change list_volumes_number_as_token", "LV-17")),
		"entries without accessible_topology": mutation.Wrong(
			mutation.ListingEntries(func(e *listEntry) { e.Volume.AccessibleTopology = nil }),
			mutation.Passes("get_volume_as_listed")),
		"entries with another capacity": mutation.Wrong(mutation.ListingEntries(func(e *listEntry) { e.Volume.CapacityBytes++ }),
			mutation.Warns("list_volumes_capacity", "LV-08")),
		"entries with a negative capacity": mutation.Wrong(mutation.ListingEntries(func(e *listEntry) { e.Volume.CapacityBytes = -1 }),
			mutation.Fails("list_volumes_capacity", "VOL-02")),
		"entries with another volume_context": mutation.Wrong(
			mutation.ListingEntries(func(e *listEntry) { e.Volume.VolumeContext = map[string]string{"listed": "true"} }),
			mutation.Fails("list_volumes_capacity", "VOL-12")),
		"entries without a volume": mutation.Wide(mutation.ListingEntries(func(e *listEntry) { e.Volume = nil }),
			mutation.Fails("list_volumes_has_each_once", "LV-08")),
		"entries without a status": mutation.Wrong(mutation.ListingEntries(func(e *listEntry) { e.Status = nil }),
			mutation.Fails("list_volumes_published_nodes", "LV-10")),
		"entries without nodes": mutation.Wrong(
			mutation.ListingEntries(func(e *listEntry) { e.Status = &csi.ListVolumesResponse_VolumeStatus{} }),
			mutation.Fails("list_volumes_published_nodes", "LV-10")),
		"entries keep a node after it is unpublished": mutation.Wrong(
			mutation.ListingEntries(func(e *listEntry) { e.Status.PublishedNodeIds = []string{"node-1"} }),
			mutation.Warns("list_volumes_published_nodes", "LV-07")),
		"leaves out volume_context but in CreateVolume": mutation.Wrong(mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) {
			v.VolumeContext = map[string]string{"created": "true"}
		}).And(mutation.Asking(func(r *csi.ControllerPublishVolumeRequest) { r.VolumeContext = nil })),
			mutation.Warns("list_volumes_capacity get_volume_as_created", "VOL-12")),
		"entries with a capacity of their own": mutation.Wrong(
			mutation.ListingEntries(func(e *listEntry) { e.Volume.CapacityBytes++ }).And(mutation.AnsweringVolume(func(_ *csi.CreateVolumeRequest, v *csi.Volume) { v.CapacityBytes = 0 })),
			mutation.Warns("get_volume_as_listed", "LV-08")),
		"ControllerGetVolume is not implemented": mutation.Wide(mutation.Unimplemented("ControllerGetVolume"),
			mutation.Fails("get_volume_as_created", "LV-11"), mutation.Errs("get_volume_as_listed get_volume_published_nodes")),
		"gets a volume without a status": mutation.Wide(mutation.Answering(func(_ *getRequest, r *getResponse) { r.Status = nil }),
			mutation.Fails("get_volume_as_created", "LV-19"), mutation.Fails("get_volume_published_nodes", "LV-14")),
		"gets a volume without nodes": mutation.Wrong(
			mutation.Answering(func(_ *getRequest, r *getResponse) { r.Status.PublishedNodeIds = nil }),
			mutation.Fails("get_volume_published_nodes", "LV-14")),
		"gets a volume without its topology": mutation.Wrong(
			mutation.Answering(func(_ *getRequest, r *getResponse) { r.Volume.AccessibleTopology = nil }),
			mutation.Passes("get_volume_as_created get_volume_as_listed")),
		"gets a volume with another volume_context": mutation.Wrong(
			mutation.Answering(func(_ *getRequest, r *getResponse) { r.Volume.VolumeContext = map[string]string{"got": "true"} }),
			mutation.Fails("get_volume_as_created", "VOL-12")),
		"gets what never was":          mutation.Wrong(getsUnless(true), mutation.Fails("get_volume_unknown", "LV-13")).Seen("csi-driver-host-path v1.18.0"),
		"gets what is deleted":         mutation.Wrong(getsUnless(false), mutation.Warns("get_volume_unknown", "LV-13")),
		"INTERNAL for what is deleted": mutation.Wrong(failsForDeleted(), mutation.Fails("get_volume_unknown", "LV-13")),
		"says nothing of a sound volume": mutation.Wrong(
			mutation.Answering(func(_ *healthRequest, r *healthResponse) { r.VolumeHealth = nil }),
			mutation.Fails("volume_health_of_new_volume", "VH-14")),
		"says the same twice of a volume": mutation.Wrong(mutation.Answering(func(_ *healthRequest, r *healthResponse) {
			r.VolumeHealth = ill(r.VolumeHealth.VolumeId, "Slow", "Slow")
		}), mutation.Fails("volume_health_of_new_volume", "VH-09")),
		"says that volumes are ill, and not why": mutation.Wrong(
			healthList(func(v *csi.Volume) *csi.VolumeHealth { return ill(v.GetVolumeId(), "") }),
			mutation.Fails("volume_health_list", "VH-08")),
		"lists the health of nothing": mutation.Wrong(healthList(func(*csi.Volume) *csi.VolumeHealth { return ill("", "Slow") }),
			mutation.Fails("volume_health_list", "VH-07")),
		"lists sound volumes as well": mutation.Wrong(healthList(func(v *csi.Volume) *csi.VolumeHealth { return ill(v.GetVolumeId()) }),
			mutation.Warns("volume_health_list", "VH-04")),
		"lists the health of deleted volumes": mutation.Wrong(remembering(func(deleted *[]*csi.Volume) mutation.Fault {
			return mutation.Answering(func(r *healthsRequest, response *healthsResponse) {
				if r.GetMaxEntries() == 0 {
					for _, v := range *deleted {
						response.Entries = append(response.Entries, ill(v.GetVolumeId(), "Gone"))
					}
				}
			})
		}), mutation.Warns("volume_health_list_of_deleted", "VH-03")),
		"does not page the health of volumes": mutation.Wrong(
			mutation.Asking(func(r *healthsRequest) { r.MaxEntries = min(0, r.MaxEntries) }).
				Over(healthList(func(v *csi.Volume) *csi.VolumeHealth { return ill(v.GetVolumeId(), "Slow") })),
			mutation.Fails("volume_health_list", "VH-05")),
		"the pages of health never end": mutation.Wide(mutation.Asking(func(r *healthsRequest) {
			if r.GetStartingToken() == "again" {
				r.StartingToken = ""
			}
		}).Over(mutation.Answering(func(_ *healthsRequest, response *healthsResponse) { response.NextToken = "again" })), mutation.Fails("volume_health_list", "VH-06")),
		"forgives in the list of health": mutation.Wrong(mutation.Asking(func(r *healthsRequest) { r.MaxEntries, r.StartingToken = 0, "" }),
			mutation.Warns("volume_health_list_invalid_token", "VH-11"),
			mutation.Warns("volume_health_list_negative_max_entries", "VH-10")),
		"the health of no volume is good": mutation.Wrong(
			mutation.Ending(func(r *healthRequest, response *healthResponse, err error) (*healthResponse, error) {
				if err != nil {
					response = &healthResponse{VolumeHealth: &csi.VolumeHealth{VolumeId: r.GetVolumeId()}}
				}
				return response, nil
			}), mutation.Fails("volume_health_unknown", "VH-15")),
	}
}

// number parses a token that is an offset.
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

// paged returns the page that begins at an offset; the next page skips the given number of entries.
func paged(all []*listEntry, from, most, over int) *listResponse {
	from = min(from, len(all))
	to := len(all)
	if most > 0 {
		to = min(to, from+most)
	}
	response := &listResponse{Entries: all[from:to]}
	if to < len(all) {
		response.NextToken = strconv.Itoa(to + over)
	}
	return response
}

func refusesItsTokens() mutation.Fault {
	var given sync.Map
	return mutation.RefusingSome(codes.Internal, "there is no such page", func(r *listRequest) bool {
		_, its := given.Load(r.GetStartingToken())
		return its
	}).Over(mutation.Answering(func(_ *listRequest, response *listResponse) {
		if response.GetNextToken() != "" {
			given.Store(response.GetNextToken(), true)
		}
	}))
}

func emptiesPages() mutation.Fault {
	const marked = "after-an-empty-page-"
	var given sync.Map // its tokens
	given.Store("", true)
	return mutation.On(func(ctx context.Context, right mutation.Right, r *listRequest) (*listResponse, error) {
		token, marks := strings.CutPrefix(r.GetStartingToken(), marked)
		if _, its := given.Load(token); its && !marks && r.GetMaxEntries() > 0 {
			return &listResponse{NextToken: marked + token}, nil
		}
		r.StartingToken = token
		response, err := right.ListVolumes(ctx, r)
		given.Store(response.GetNextToken(), true)
		return response, err
	})
}

func diesAfterNumbers() mutation.Fault {
	dead := false
	return mutation.Checking(func(r *listRequest) error {
		if dead {
			dead = false
			return status.Error(codes.Unavailable, "connection refused")
		}
		_, err := strconv.Atoi(r.GetStartingToken())
		dead = err == nil
		return nil
	})
}

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

func failsForDeleted() mutation.Fault {
	var deleted sync.Map
	return mutation.InsteadOf(codes.NotFound, func(_ context.Context, _ mutation.Right, r *getRequest, refused error) (*getResponse, error) {
		if _, found := deleted.Load(r.GetVolumeId()); found {
			return nil, status.Error(codes.Internal, "there is no such volume")
		}
		return nil, refused
	}).And(mutation.Asking(func(r *csi.DeleteVolumeRequest) { deleted.Store(r.GetVolumeId(), true) }))
}

// getsUnless makes a driver that returns a volume that does not exist: one that was never created, or a deleted one.
func getsUnless(made bool) mutation.Fault {
	var mu sync.Mutex
	known := map[string]bool{}
	return mutation.InsteadOf(codes.NotFound, func(_ context.Context, _ mutation.Right, r *getRequest, refused error) (*getResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		if known[r.GetVolumeId()] == made {
			return nil, refused
		}
		return &getResponse{Volume: &csi.Volume{VolumeId: r.GetVolumeId()}, Status: &csi.ControllerGetVolumeResponse_VolumeStatus{}}, nil
	}).And(mutation.Ending(func(_ *csi.CreateVolumeRequest, response *csi.CreateVolumeResponse, err error) (*csi.CreateVolumeResponse, error) {
		mu.Lock()
		defer mu.Unlock()
		known[response.GetVolume().GetVolumeId()] = true
		return response, err
	}))
}
