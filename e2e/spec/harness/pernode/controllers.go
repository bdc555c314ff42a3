// SPDX-License-Identifier: Apache-2.0

// Package pernode makes the controllers of a driver with one controller on each node, as behind csi-provisioner
// --node-deployment, look like one controller: each call goes to the controller that Kubernetes would call. It is
// independent of cases.
package pernode

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/csi-topo/csi-topo/e2e/model"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
)

// Controllers holds the controllers of all nodes. None knows the objects of another one.
type Controllers struct {
	nodes []grpc.ClientConnInterface

	locating sync.Mutex
	where    []model.Segment // nil until each node has reported its segment
	ids      []string

	owning sync.Mutex
	owner  map[string]int // the owners of names, volumes and snapshots
}

// New returns one controller made of the controllers on the nodes. Each of these serves both the Controller and the Node
// service.
func New(nodes []grpc.ClientConnInterface) *Controllers {
	return &Controllers{nodes: nodes, owner: map[string]int{}}
}

// Invoke makes the call at the controller that owns its object. A call that lists everything, or deletes an object with an
// unknown owner, such as one of an earlier run, goes to all controllers.
func (c *Controllers) Invoke(ctx context.Context, method string, request, response any, opts ...grpc.CallOption) error {
	if err := c.locate(ctx); err != nil {
		return err
	}
	if lists, err := c.list(ctx, method, request, response, opts); lists {
		return err
	}
	if c.ownsDeleted(request) < 0 {
		for _, node := range c.nodes {
			if err := node.Invoke(ctx, method, request, response, opts...); err != nil {
				return err
			}
		}
		return nil
	}
	at, err := c.route(request)
	if err != nil {
		return err
	}
	if err := c.nodes[at].Invoke(ctx, method, request, response, opts...); err != nil {
		return err
	}
	switch r := response.(type) {
	case *csi.CreateVolumeResponse:
		c.own(volume+r.GetVolume().GetVolumeId(), at)
	case *csi.CreateSnapshotResponse:
		c.own(snapshot+r.GetSnapshot().GetSnapshotId(), at)
	case *csi.CreateVolumeGroupSnapshotResponse:
		c.own(group+r.GetGroupSnapshot().GetGroupSnapshotId(), at)
		for _, member := range r.GetGroupSnapshot().GetSnapshots() {
			c.own(snapshot+member.GetSnapshotId(), at)
		}
	}
	return nil
}

// NewStream makes the call at the controller that owns its object, once it has the request.
func (c *Controllers) NewStream(ctx context.Context, _ *grpc.StreamDesc, method string, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	return wire.Stream(ctx, func(ctx context.Context, request proto.Message) ([]proto.Message, error) {
		if err := c.locate(ctx); err != nil {
			return nil, err
		}
		at, err := c.route(request)
		if err != nil {
			return nil, err
		}
		return wire.Collect(ctx, c.nodes[at], method, request, opts...)
	}), nil
}

// Refuses explains why Kubernetes makes no such call, or returns nil if it may make it: Kubernetes calls a controller only
// for its own segment, and never with the name or source of an object of another controller.
func (c *Controllers) Refuses(ctx context.Context, request any) error {
	if err := c.locate(ctx); err != nil {
		return nil //nolint:nilerr // the call itself says so
	}
	_, err := c.route(request)
	return err
}

const volume, snapshot, group, volumeName, snapshotName, groupName = "volume ", "snapshot ", "group snapshot ", "volume named ", "snapshot named ", "group snapshot named "

// ownsDeleted returns the controller that made the object to delete, -1 if that is not known, and 0 for any other call.
func (c *Controllers) ownsDeleted(request any) int {
	var what string
	switch r := request.(type) {
	case *csi.DeleteVolumeRequest:
		what = volume + r.GetVolumeId()
	case *csi.DeleteSnapshotRequest:
		what = snapshot + r.GetSnapshotId()
	case *csi.DeleteVolumeGroupSnapshotRequest:
		what = group + r.GetGroupSnapshotId()
	default:
		return 0
	}
	if at, known := c.ownerOf(what); known {
		return at
	}
	return -1
}

// route returns the controller for the call: the first if nothing decides.
func (c *Controllers) route(request any) (int, error) {
	switch r := request.(type) {
	case *csi.CreateVolumeRequest:
		return c.routeCreation(r)
	case *csi.CreateSnapshotRequest:
		at, known := c.ownerOf(volume + r.GetSourceVolumeId())
		for _, term := range r.GetAccessibilityRequirements().GetRequisite() {
			if in := c.in(term); known && in >= 0 && in != at {
				return 0, errors.New("the request is for a snapshot on another node than the volume")
			}
		}
		return c.claim(snapshotName+r.GetName(), at, known)
	case *csi.CreateVolumeGroupSnapshotRequest:
		return c.routeGroup(r)
	case interface{ GetGroupSnapshotId() string }:
		at, _ := c.ownerOf(group + r.GetGroupSnapshotId())
		return at, nil
	case *csi.GetCapacityRequest:
		return max(0, c.in(r.GetAccessibleTopology())), nil
	case interface{ GetVolumeId() string }:
		at, known := c.ownerOf(volume + r.GetVolumeId())
		if node, tells := request.(interface{ GetNodeId() string }); !known && tells {
			at = max(0, slices.Index(c.ids, node.GetNodeId()))
		}
		return at, nil
	case *csi.GetMetadataDeltaRequest:
		at, _ := c.ownerOf(snapshot + r.GetTargetSnapshotId())
		return at, nil
	case interface{ GetSnapshotId() string }:
		at, known := c.ownerOf(snapshot + r.GetSnapshotId())
		if source, tells := request.(interface{ GetSourceVolumeId() string }); !known && tells {
			at, _ = c.ownerOf(volume + source.GetSourceVolumeId())
		}
		return at, nil
	default:
		return 0, nil
	}
}

func (c *Controllers) routeGroup(r *csi.CreateVolumeGroupSnapshotRequest) (int, error) {
	at, known := 0, false
	for _, source := range r.GetSourceVolumeIds() {
		of, made := c.ownerOf(volume + source)
		if made && known && of != at {
			return 0, errors.New("the request is for volumes of several nodes")
		}
		if made {
			at, known = of, true
		}
	}
	return c.claim(groupName+r.GetName(), at, known)
}

func (c *Controllers) routeCreation(r *csi.CreateVolumeRequest) (int, error) {
	at, known := 0, false
	terms := slices.Concat(r.GetAccessibilityRequirements().GetPreferred(), r.GetAccessibilityRequirements().GetRequisite())
	for _, term := range terms {
		switch in := c.in(term); {
		case in < 0:
		case known && in != at:
			return 0, errors.New("the request names the segments of several nodes")
		default:
			at, known = in, true
		}
	}
	for _, source := range []string{volume + r.GetVolumeContentSource().GetVolume().GetVolumeId(), snapshot + r.GetVolumeContentSource().GetSnapshot().GetSnapshotId()} {
		from, made := c.ownerOf(source)
		if made && known && from != at {
			return 0, errors.New("the request names a source of another node")
		}
		if made {
			at, known = from, true
		}
	}
	if !known && len(terms) == 0 {
		return 0, errors.New("the request names no segment, which decides which node's controller is called")
	}
	return c.claim(volumeName+r.GetName(), at, known)
}

// claim makes the controller the owner of the name, unless another one owns it already. Any controller may own it if it
// is not known which one is called.
func (c *Controllers) claim(name string, at int, known bool) (int, error) {
	c.owning.Lock()
	defer c.owning.Unlock()
	owner, taken := c.owner[name]
	switch {
	case !taken:
		c.owner[name] = at
		return at, nil
	case known && owner != at:
		return 0, errors.New("the request has a name that the controller of another node has already received")
	default:
		return owner, nil
	}
}

func (c *Controllers) own(what string, at int) {
	c.owning.Lock()
	defer c.owning.Unlock()
	c.owner[what] = at
}

func (c *Controllers) ownerOf(what string) (at int, known bool) {
	c.owning.Lock()
	defer c.owning.Unlock()
	at, known = c.owner[what]
	return at, known
}

// in returns the node in the topology, whose keys are case-insensitive (TO-07), or -1 if there is none.
func (c *Controllers) in(term *csi.Topology) int {
	return slices.IndexFunc(c.where, func(segment model.Segment) bool {
		for key, value := range term.GetSegments() {
			if !has(segment, key, value) {
				return false
			}
		}
		return len(term.GetSegments()) > 0
	})
}

func has(segment model.Segment, key, value string) bool {
	for k, v := range segment {
		if strings.EqualFold(k, key) && v == value {
			return true
		}
	}
	return false
}

// locate reads the topology of each node, until all have answered once.
func (c *Controllers) locate(ctx context.Context) error {
	c.locating.Lock()
	defer c.locating.Unlock()
	if c.where != nil {
		return nil
	}
	var where []model.Segment
	var ids []string
	for _, node := range c.nodes {
		info, err := csi.NewNodeClient(node).NodeGetInfo(ctx, &csi.NodeGetInfoRequest{})
		if err != nil {
			return err
		}
		where, ids = append(where, info.GetAccessibleTopology().GetSegments()), append(ids, info.GetNodeId())
	}
	c.where, c.ids = where, ids
	return nil
}
