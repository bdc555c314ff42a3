// SPDX-License-Identifier: Apache-2.0

package service_test

import (
	"fmt"
	"maps"
	"slices"
	"syscall"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
)

func publishRequest(v *csi.Volume, node string) *csi.ControllerPublishVolumeRequest {
	return &csi.ControllerPublishVolumeRequest{VolumeId: v.GetVolumeId(), NodeId: node, VolumeCapability: writer()}
}

// publish publishes a volume, which must succeed.
func (c *testController) publish(v *csi.Volume, node string) {
	c.t.Helper()
	if _, err := c.ControllerPublishVolume(c.t.Context(), publishRequest(v, node)); err != nil {
		c.t.Fatalf("publishing on %s: %v", node, err)
	}
}

// expectOn checks which nodes the volume is published on.
func (c *testController) expectOn(v *csi.Volume, nodes ...string) {
	c.t.Helper()
	response, err := c.ControllerGetVolume(c.t.Context(), &csi.ControllerGetVolumeRequest{VolumeId: v.GetVolumeId()})
	if err != nil {
		c.t.Fatal(err)
	}
	if got := response.GetStatus().GetPublishedNodeIds(); !slices.Equal(got, nodes) {
		c.t.Errorf("the volume is on %v, want %v", got, nodes)
	}
}

func TestPublishVolume(t *testing.T) {
	c := newTestController(t)
	r := request("volume", "Z2", "Z3")
	r.Parameters = map[string]string{"zones": "2"}
	v := c.create(r)
	for _, node := range []string{"n2", "n2b", "n3"} { // all nodes that it is accessible from, in turn
		c.publish(v, node)
		c.publish(v, node)
		withContext := publishRequest(v, node)
		withContext.VolumeContext = map[string]string{"storage.kubernetes.io/csiProvisionerIdentity": "1"}
		if _, err := c.ControllerPublishVolume(t.Context(), withContext); err != nil {
			t.Errorf("with what Kubernetes adds to the context: %v", err)
		}
		c.expectOn(v, node)
		if _, err := c.ControllerUnpublishVolume(t.Context(), &csi.ControllerUnpublishVolumeRequest{VolumeId: v.GetVolumeId(), NodeId: node}); err != nil {
			t.Fatal(err)
		}
		c.expectOn(v)
	}
}

func TestPublishVolumeRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*csi.ControllerPublishVolumeRequest)
		code   codes.Code
		want   string
	}{
		{"no volume", func(r *csi.ControllerPublishVolumeRequest) { r.VolumeId = "" }, codes.InvalidArgument, "volume_id is required"},
		{"no node", func(r *csi.ControllerPublishVolumeRequest) { r.NodeId = "" }, codes.InvalidArgument, "node_id is required"},
		{"no capability", func(r *csi.ControllerPublishVolumeRequest) { r.VolumeCapability = nil }, codes.InvalidArgument, "volume_capability is required"},
		{"a capability that it does not have", func(r *csi.ControllerPublishVolumeRequest) {
			r.VolumeCapability = capability(csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY)
		}, codes.InvalidArgument, "does not have access mode MULTI_NODE_READER_ONLY"},
		{"a context that is not its own", func(r *csi.ControllerPublishVolumeRequest) { r.VolumeContext = map[string]string{"from": "elsewhere"} }, codes.InvalidArgument, `volume_context has the key "from"`},
		{"an unknown volume", func(r *csi.ControllerPublishVolumeRequest) { r.VolumeId = uuid.NewString() }, codes.NotFound, "there is no volume"},
		{"what is no volume", func(r *csi.ControllerPublishVolumeRequest) { r.VolumeId = "../x" }, codes.NotFound, "there is no volume"},
		{"an unknown node", func(r *csi.ControllerPublishVolumeRequest) { r.NodeId = "n9" }, codes.NotFound, `there is no node "n9"`},
		{"a node out of reach", func(r *csi.ControllerPublishVolumeRequest) { r.NodeId = "n3" }, codes.FailedPrecondition, `node "n3" is in {topology.hostpath.topo.csi/region=R1,topology.hostpath.topo.csi/zone=Z3}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			v := c.create(request("volume", "Z2"))
			r := publishRequest(v, "n2")
			test.change(r)
			_, err := c.ControllerPublishVolume(t.Context(), r)
			expectRefused(t, err, test.code, test.want)
			c.expectOn(v)
		})
	}
}

func TestPublishVolumeThatIsPublished(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*csi.ControllerPublishVolumeRequest)
		code   codes.Code
		want   string
	}{
		{"on another node", func(r *csi.ControllerPublishVolumeRequest) { r.NodeId = "n2b" }, codes.FailedPrecondition, `is published on node "n2"`},
		{"with another access mode", func(r *csi.ControllerPublishVolumeRequest) {
			r.VolumeCapability = capability(csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY)
		}, codes.AlreadyExists, "with access mode SINGLE_NODE_WRITER"},
		{"with another access type", func(r *csi.ControllerPublishVolumeRequest) { r.VolumeCapability = block() }, codes.AlreadyExists, "(block: false, read-only: false)"},
		{"read-only", func(r *csi.ControllerPublishVolumeRequest) { r.Readonly = true }, codes.AlreadyExists, "(block: false, read-only: false)"},
		{"with another file system", func(r *csi.ControllerPublishVolumeRequest) { r.VolumeCapability.GetMount().FsType = "ext4" }, codes.AlreadyExists, `is published on node "n2"`},
		{"with other mount flags", func(r *csi.ControllerPublishVolumeRequest) {
			r.VolumeCapability.GetMount().MountFlags = []string{"noatime"}
		}, codes.AlreadyExists, `is published on node "n2"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			v := c.create(request("volume", "Z2"))
			c.publish(v, "n2")
			r := publishRequest(v, "n2")
			test.change(r)
			_, err := c.ControllerPublishVolume(t.Context(), r)
			expectRefused(t, err, test.code, test.want)
			c.expectOn(v, "n2")
		})
	}
}

// TestPublishVolumeOnTwoNodes checks which publications of one volume can coexist on
// two nodes (CP-07, CP-34), whatever the order; a repeated call gets the first answer.
func TestPublishVolumeOnTwoNodes(t *testing.T) {
	type publication struct {
		mode     csi.VolumeCapability_AccessMode_Mode
		readOnly bool
	}
	const (
		nodeWriter   = csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
		nodeReader   = csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY
		oneWorkload  = csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER
		oneNode      = csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER
		readers      = csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY
		singleWriter = csi.VolumeCapability_AccessMode_MULTI_NODE_SINGLE_WRITER
		multiWriter  = csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
	)
	all := []publication{
		{nodeWriter, false}, {nodeWriter, true}, {nodeReader, false}, {nodeReader, true},
		{oneWorkload, false}, {oneWorkload, true}, {oneNode, false}, {oneNode, true},
		{readers, false}, {readers, true}, {singleWriter, false}, {singleWriter, true}, {multiWriter, false}, {multiWriter, true},
	}
	harmless := []publication{{readers, false}, {readers, true}, {singleWriter, true}, {multiWriter, true}}
	shared := append(slices.Clone(harmless), publication{multiWriter, false})
	alone := publication{singleWriter, false}
	can := func(a, b publication) bool {
		return (slices.Contains(shared, a) && slices.Contains(shared, b)) ||
			(a == alone && slices.Contains(harmless, b)) || (b == alone && slices.Contains(harmless, a))
	}
	c := newTestController(t)
	v := c.create(with(request("volume", "Z2"), "kind", "memory"))
	for _, first := range all {
		for _, second := range all {
			t.Run(fmt.Sprintf("%s, read-only %t, beside %s, read-only %t", second.mode, second.readOnly, first.mode, first.readOnly), func(t *testing.T) {
				publish := func(node string, p publication) error {
					r := publishRequest(v, node)
					r.VolumeCapability, r.Readonly = capability(p.mode), p.readOnly
					context := map[string]string{"node": node}
					if p.readOnly {
						context["readonly"] = "true"
					}
					for range 2 {
						response, err := c.ControllerPublishVolume(t.Context(), r)
						if err != nil {
							return err
						}
						if !maps.Equal(response.GetPublishContext(), context) {
							t.Errorf("publish_context is %v, want %v", response.GetPublishContext(), context)
						}
					}
					return nil
				}
				defer func() {
					if _, err := c.ControllerUnpublishVolume(t.Context(), &csi.ControllerUnpublishVolumeRequest{VolumeId: v.GetVolumeId()}); err != nil {
						t.Fatal(err)
					}
				}()
				if err := publish("n2b", first); err != nil {
					t.Fatal(err)
				}
				err := publish("n2", second)
				if can(first, second) {
					if err != nil {
						t.Errorf("got %v, want both published", err)
					}
					c.expectOn(v, "n2", "n2b")
					return
				}
				expectRefused(t, err, codes.FailedPrecondition, `is published on node "n2b"`)
				c.expectOn(v, "n2b")
			})
		}
	}
}

// TestPublishVolumeOtherwiseBesideAnother checks that the publication on the node itself is compared before those on
// other nodes, whatever the order of their names.
func TestPublishVolumeOtherwiseBesideAnother(t *testing.T) {
	c := newTestController(t)
	v := c.create(with(request("volume", "Z2"), "kind", "memory"))
	shared := func(node string) *csi.ControllerPublishVolumeRequest {
		r := publishRequest(v, node)
		r.VolumeCapability = capability(csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER)
		return r
	}
	for _, node := range []string{"n2", "n2b"} {
		if _, err := c.ControllerPublishVolume(t.Context(), shared(node)); err != nil {
			t.Fatal(err)
		}
	}
	for _, node := range []string{"n2", "n2b"} {
		_, err := c.ControllerPublishVolume(t.Context(), publishRequest(v, node))
		expectRefused(t, err, codes.AlreadyExists, "on node \""+node+"\"")
		if _, err := c.ControllerPublishVolume(t.Context(), shared(node)); err != nil {
			t.Errorf("asked again: %v", err)
		}
	}
	if _, err := c.ControllerUnpublishVolume(t.Context(), &csi.ControllerUnpublishVolumeRequest{VolumeId: v.GetVolumeId(), NodeId: "n2"}); err != nil {
		t.Fatal(err)
	}
	c.expectOn(v, "n2b")
}

func TestPublishVolumeOnAFullNode(t *testing.T) {
	c := newTestController(t)
	first, second, third := c.create(request("1", "Z2")), c.create(request("2", "Z2")), c.create(request("3", "Z2"))
	c.publish(first, "n2")
	c.publish(second, "n2")
	_, err := c.ControllerPublishVolume(t.Context(), publishRequest(third, "n2"))
	expectRefused(t, err, codes.ResourceExhausted, "as many volumes as it may: 2")
	c.expectOn(third)
	c.publish(second, "n2")
	c.publish(third, "n2b")
}

// TestPublishVolumeWithoutRoomForTheRecord checks that a full disk does not cause the same code as a node with too many
// volumes (CP-36).
func TestPublishVolumeWithoutRoomForTheRecord(t *testing.T) {
	c := newTestController(t)
	v := c.create(request("volume", "Z2"))
	c.watch = failing("commit publication", false, fmt.Errorf("writing: %w", syscall.ENOSPC))
	_, err := c.ControllerPublishVolume(t.Context(), publishRequest(v, "n2"))
	expectRefused(t, err, codes.Internal, "no space left on device")
	c.expectOn(v)
}

func TestUnpublishVolume(t *testing.T) {
	for _, test := range []struct {
		name      string
		change    func(*csi.ControllerUnpublishVolumeRequest)
		published []string // afterwards
	}{
		{"from its node", func(*csi.ControllerUnpublishVolumeRequest) {}, nil},
		{"from every node", func(r *csi.ControllerUnpublishVolumeRequest) { r.NodeId = "" }, nil},
		{"from another node", func(r *csi.ControllerUnpublishVolumeRequest) { r.NodeId = "n3" }, []string{"n2"}},
		{"from an unknown node", func(r *csi.ControllerUnpublishVolumeRequest) { r.NodeId = "n9" }, []string{"n2"}},
		{"an unknown volume", func(r *csi.ControllerUnpublishVolumeRequest) { r.VolumeId = uuid.NewString() }, []string{"n2"}},
		{"what is no volume", func(r *csi.ControllerUnpublishVolumeRequest) { r.VolumeId = "../x" }, []string{"n2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestController(t)
			v := c.create(request("volume", "Z2"))
			c.publish(v, "n2")
			r := &csi.ControllerUnpublishVolumeRequest{VolumeId: v.GetVolumeId(), NodeId: "n2"}
			test.change(r)
			for range 2 {
				if _, err := c.ControllerUnpublishVolume(t.Context(), r); err != nil {
					t.Fatal(err)
				}
				c.expectOn(v, test.published...)
			}
		})
	}
	_, err := newTestController(t).ControllerUnpublishVolume(t.Context(), &csi.ControllerUnpublishVolumeRequest{NodeId: "n2"})
	expectRefused(t, err, codes.InvalidArgument, "volume_id is required")
}
