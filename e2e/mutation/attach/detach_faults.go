// SPDX-License-Identifier: Apache-2.0

package attach

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/mutation"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// detachFaults returns drivers that detach volumes wrongly.
func detachFaults() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"NOT_FOUND for a volume that is not attached": mutation.Wide(onNodes(anyway, func(on map[placed]bool, p placed) error {
			for other := range on {
				if other == p || p.node == "" && other.volume == p.volume {
					return nil
				}
			}
			if p.volume == "" {
				return nil
			}
			return status.Error(codes.NotFound, "the volume is not attached")
		}), mutation.Fails("detach_again", "CU-05"), mutation.Fails("detach_never_attached detach_other_node", "CU-06")),
		"unpublishes from all nodes whichever is named": mutation.Wrong(unpublishesFromAll(),
			mutation.Fails("detach_other_node detach_out_of_reach detach_unknown_node detach_one_of_two detach_then_other_node", "CU-10"),
			mutation.Warns("attach_single_writer", "CP-11")).Seen("scaleway-csi v0.3.6"),
		"unpublishes from all nodes whichever is named, and claims to list none": mutation.Wrong(
			unpublishesFromAll().And(mutation.Unclaimed(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES)),
			mutation.Fails("detach_other_node detach_out_of_reach detach_unknown_node detach_one_of_two detach_then_other_node", "CU-10"),
			mutation.Warns("attach_single_writer", "CP-11")),
		"unpublishes from all nodes whichever is named, and lists none": mutation.Wrong(unpublishesFromAll().And(mutation.ListingEntries(func(entry *csi.ListVolumesResponse_Entry) {
			entry.Status = &csi.ListVolumesResponse_VolumeStatus{}
		}).And(mutation.Answering(func(_ *csi.ControllerGetVolumeRequest, response *csi.ControllerGetVolumeResponse) {
			response.Status = &csi.ControllerGetVolumeResponse_VolumeStatus{}
		}))),
			mutation.Fails("detach_other_node detach_out_of_reach detach_unknown_node detach_one_of_two detach_then_other_node", "CU-10"),
			mutation.Warns("attach_single_writer", "CP-11"), mutation.Warns("attach_every_node", "CP-02")),
		"unpublishes from the node that is named only": mutation.Wrong(
			mutation.Where(func(r *unpublishRequest) bool { return r.GetVolumeId() != "" && r.GetNodeId() == "" },
				mutation.Instead(func(*unpublishRequest) *unpublishResponse { return &unpublishResponse{} })), mutation.Fails("detach_from_all", "CU-11")).Seen("scaleway-csi v0.3.6, csi-digitalocean 0711283d, ibm-vpc-block-csi-driver eb450134"),
		"unpublishes from one node where it should from all": mutation.Wrong(unpublishesOne(),
			mutation.Fails("detach_from_all", "CU-11")),
		"unpublishes from the first of several nodes only": mutation.Wide(unpublishesFirst(),
			mutation.Fails("detach_second_of_two", "CU-10")),
		"forgets one of the nodes that it unpublishes a volume from, and deletes it only when it knows of none": mutation.Wrong(countsNodes(),
			mutation.Fails("detach_from_all", "CU-11")),
		"leaves readers when it unpublishes from all": mutation.Wrong(leavesReaders(),
			mutation.Fails("detach_from_all", "CU-11")),
		"keeps a volume from other nodes":                   mutation.Wrong(keepsFromOthers(), mutation.Fails("detach_then_other_node detach_two_at_once", "CU-10")),
		"takes a volume from the node that it has moved to": mutation.Wrong(takesFromNext(), mutation.Fails("detach_then_other_node detach_two_at_once", "CU-10")),
		"lists no volumes that are on a node": mutation.Wrong( // which is no reason to report that they are on none
			mutation.Answering(func(_ *csi.ListVolumesRequest, response *csi.ListVolumesResponse) {
				response.Entries = slices.DeleteFunc(response.GetEntries(), func(e *csi.ListVolumesResponse_Entry) bool {
					return len(e.GetStatus().GetPublishedNodeIds()) > 0
				})
			}), mutation.Passes("detach_other_node detach_one_of_two detach_unknown_node detach_out_of_reach attach_every_node")),
		"lists every node that a volume ever was on": mutation.Wrong(listsEveryNode(),
			mutation.Warns("detach_from_all detach_second_of_two detach_two_at_once detach_given_up", "LV-07")),
		"INTERNAL for an unknown volume or node": mutation.Wrong(refusesUnknown(codes.Internal),
			mutation.Fails("detach_unknown_volume", "CU-17"), mutation.Fails("detach_unknown_node", "CU-18")),
		"deletes a published volume": mutation.Wrong(deletesPublished(),
			mutation.Passes("detach_other_node detach_one_of_two detach_unknown_node")),
		"deletes a published volume, and claims to list no nodes": mutation.Wrong(
			deletesPublished().And(mutation.Unclaimed(csi.ControllerServiceCapability_RPC_LIST_VOLUMES_PUBLISHED_NODES)),
			mutation.Skips("detach_other_node detach_one_of_two detach_second_of_two detach_unknown_node", suite.ByCapability)),
	}
}

func unpublishesFromAll() mutation.Fault {
	return mutation.Asking(func(r *unpublishRequest) { r.NodeId = "" })
}

func unpublishesFirst() mutation.Fault {
	nodes := map[string][]string{}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *unpublishRequest) (*unpublishResponse, error) {
		on := nodes[r.GetVolumeId()]
		if r.GetNodeId() != "" && len(on) > 1 && on[0] != r.GetNodeId() {
			return &unpublishResponse{}, nil
		}
		response, err := right.ControllerUnpublishVolume(ctx, r)
		if err == nil {
			nodes[r.GetVolumeId()] = slices.DeleteFunc(on, func(node string) bool { return r.GetNodeId() == "" || node == r.GetNodeId() })
		}
		return response, err
	}).And(mutation.OnOK(func(r *publishRequest) {
		if !slices.Contains(nodes[r.GetVolumeId()], r.GetNodeId()) {
			nodes[r.GetVolumeId()] = append(nodes[r.GetVolumeId()], r.GetNodeId())
		}
	}))
}

// countsNodes makes a driver that counts the nodes of each volume: it deletes no volume with a count above 0, and
// decrements the count for each call that unpublishes the volume.
func countsNodes() mutation.Fault {
	nodes := map[string]int{}
	on := map[placed]bool{}
	return mutation.OnOK(func(r *publishRequest) {
		if p := (placed{r.GetVolumeId(), r.GetNodeId()}); !on[p] {
			on[p] = true
			nodes[p.volume]++
		}
	}).And(mutation.OnOK(func(r *unpublishRequest) {
		before := len(on)
		maps.DeleteFunc(on, func(p placed, _ bool) bool {
			return p.volume == r.GetVolumeId() && (r.GetNodeId() == "" || r.GetNodeId() == p.node)
		})
		if len(on) < before {
			nodes[r.GetVolumeId()]--
		}
	})).And(mutation.RefusingSome(codes.FailedPrecondition, "the volume is on a node", func(r *csi.DeleteVolumeRequest) bool {
		return nodes[r.GetVolumeId()] > 0
	}))
}

// listsEveryNode makes a driver whose published_node_ids include nodes that the volume was unpublished from, which is
// allowed (LV-07).
func listsEveryNode() mutation.Fault {
	nodes := map[string][]string{}
	everOf := func(volumeID string, now []string) []string {
		all := slices.Concat(nodes[volumeID], now)
		slices.Sort(all)
		nodes[volumeID] = slices.Compact(all)
		return slices.Clone(nodes[volumeID])
	}
	return mutation.ListingEntries(func(entry *csi.ListVolumesResponse_Entry) {
		entry.Status.PublishedNodeIds = everOf(entry.GetVolume().GetVolumeId(), entry.GetStatus().GetPublishedNodeIds())
	}).And(mutation.Answering(func(r *csi.ControllerGetVolumeRequest, response *csi.ControllerGetVolumeResponse) {
		response.Status.PublishedNodeIds = everOf(r.GetVolumeId(), response.GetStatus().GetPublishedNodeIds())
	}))
}

func deletesPublished() mutation.Fault {
	return mutation.On(func(ctx context.Context, right mutation.Right, r *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
		if _, err := right.ControllerUnpublishVolume(ctx, &unpublishRequest{VolumeId: r.GetVolumeId()}); err != nil {
			return nil, err
		}
		return right.DeleteVolume(ctx, r)
	})
}

// unpublishesOne makes a driver that knows only one node for each volume: the last that it was published to.
func unpublishesOne() mutation.Fault {
	last := map[string]string{}
	return mutation.OnOK(func(r *publishRequest) {
		last[r.GetVolumeId()] = r.GetNodeId()
	}).And(mutation.Asking(func(r *unpublishRequest) {
		if r.GetNodeId() == "" {
			r.NodeId = last[r.GetVolumeId()]
		}
	}))
}

func keepsFromOthers() mutation.Fault {
	left := map[string]string{}
	return mutation.RefusingSome(codes.FailedPrecondition, "the volume is on another node", func(r *publishRequest) bool {
		return left[r.GetVolumeId()] != "" && left[r.GetVolumeId()] != r.GetNodeId()
	}).And(mutation.Asking(func(r *unpublishRequest) { left[r.GetVolumeId()] = r.GetNodeId() }))
}

// takesFromNext makes a driver that unpublishes a volume from its current node when asked to unpublish it from an earlier
// one.
func takesFromNext() mutation.Fault {
	on, left := map[string]string{}, map[placed]bool{}
	return mutation.OnOK(func(r *publishRequest) { on[r.GetVolumeId()] = r.GetNodeId() }).
		And(mutation.Asking(func(r *unpublishRequest) {
			p := placed{r.GetVolumeId(), r.GetNodeId()}
			if p.node != "" && left[p] && on[p.volume] != "" {
				r.NodeId = on[p.volume]
			}
			left[p] = true
		}))
}

// refusesUnknown makes a driver that refuses with the code to detach a volume that it has deleted, or from a node that it
// has never seen.
func refusesUnknown(code codes.Code) mutation.Fault {
	deleted, nodes := map[string]bool{}, map[string]bool{"": true} // an empty node_id means all nodes
	return mutation.OnOK(func(r *csi.DeleteVolumeRequest) { deleted[r.GetVolumeId()] = true }).
		And(mutation.Answering(func(_ *csi.NodeGetInfoRequest, response *csi.NodeGetInfoResponse) { nodes[response.GetNodeId()] = true })).
		And(mutation.RefusingSome(code, "the volume or the node does not exist", func(r *unpublishRequest) bool {
			return deleted[r.GetVolumeId()] || !nodes[r.GetNodeId()]
		}))
}

// leavesReaders makes a driver that, without a node_id, unpublishes a volume only from the nodes that may write.
func leavesReaders() mutation.Fault {
	writers := map[string][]string{} // node_id by volume_id
	return mutation.OnOK(func(r *publishRequest) {
		if !r.GetReadonly() {
			writers[r.GetVolumeId()] = append(writers[r.GetVolumeId()], r.GetNodeId())
		}
	}).And(mutation.Where(func(r *unpublishRequest) bool { return r.GetNodeId() == "" },
		mutation.On(func(ctx context.Context, right mutation.Right, r *unpublishRequest) (*unpublishResponse, error) {
			nodes := writers[r.GetVolumeId()]
			delete(writers, r.GetVolumeId())
			for _, node := range nodes {
				request := proto.CloneOf(r)
				request.NodeId = node
				if _, err := right.ControllerUnpublishVolume(ctx, request); err != nil {
					return nil, err
				}
			}
			if len(nodes) == 0 {
				return right.ControllerUnpublishVolume(ctx, r)
			}
			return &unpublishResponse{}, nil
		})))
}

// faultsAtOnce returns drivers that are wrong when calls are in flight together.
func faultsAtOnce() map[string]mutation.Expectation {
	return map[string]mutation.Expectation{
		"publishes a volume, when the call was given up, after it was unpublished":       mutation.Wide(publishesLate(), mutation.Fails("detach_given_up", "CU-10")),
		"finishes a call that was given up, and does not unpublish the volume meanwhile": mutation.Wrong(publishesOn(), mutation.Passes("detach_given_up")),
		"answers OK while it unpublishes the volume from another node":                   mutation.Wide(oneAtATime(), mutation.Fails("detach_two_at_once", "CU-10")),
	}
}

// publishesLate makes a driver that postpones a call that was given up until its next call.
func publishesLate() mutation.Fault {
	var late sync.Map // requests by volume_id
	return mutation.On(func(ctx context.Context, right mutation.Right, r *publishRequest) (*publishResponse, error) {
		late.Store(r.GetVolumeId(), r)
		if !mutation.InTime(ctx) {
			return nil, status.FromContextError(ctx.Err()).Err()
		}
		late.Delete(r.GetVolumeId())
		return right.ControllerPublishVolume(ctx, r)
	}).And(mutation.On(func(ctx context.Context, right mutation.Right, r *unpublishRequest) (*unpublishResponse, error) {
		response, err := right.ControllerUnpublishVolume(ctx, r)
		if request, put := late.LoadAndDelete(r.GetVolumeId()); err == nil && put {
			_, err = right.ControllerPublishVolume(context.WithoutCancel(ctx), request.(*publishRequest))
		}
		return response, err
	}))
}

// publishesOn makes a driver that continues a call that is given up, and is busy with the volume until it is done.
func publishesOn() mutation.Fault {
	const takes = 100 * time.Millisecond
	var pending sync.Map
	busy := func(id string) error {
		if _, is := pending.Load(id); is {
			return status.Error(codes.Aborted, "the volume is being published")
		}
		return nil
	}
	return mutation.On(func(ctx context.Context, right mutation.Right, r *publishRequest) (*publishResponse, error) {
		if err := busy(r.GetVolumeId()); err != nil || mutation.InTime(ctx) {
			return right.ControllerPublishVolume(ctx, r)
		}
		pending.Store(r.GetVolumeId(), true)
		time.AfterFunc(takes, func() {
			_, _ = right.ControllerPublishVolume(context.WithoutCancel(ctx), r)
			pending.Delete(r.GetVolumeId())
		})
		return nil, status.FromContextError(ctx.Err()).Err()
	}).And(mutation.Checking(func(r *unpublishRequest) error { return busy(r.GetVolumeId()) }))
}

func oneAtATime() mutation.Fault {
	const takes = time.Second // unless another call comes
	var pending sync.Map
	return mutation.On(func(ctx context.Context, right mutation.Right, r *unpublishRequest) (*unpublishResponse, error) {
		other := make(chan struct{}, 1)
		if first, is := pending.LoadOrStore(r.GetVolumeId(), other); is {
			select {
			case first.(chan struct{}) <- struct{}{}:
			default:
			}
			return &unpublishResponse{}, nil
		}
		defer pending.Delete(r.GetVolumeId())
		select {
		case <-other:
		case <-time.After(takes):
		}
		return right.ControllerUnpublishVolume(ctx, r)
	})
}
