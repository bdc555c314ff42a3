// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/go-logr/logr"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/memory"
)

const (
	modeSingle      = csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER
	modeMulti       = csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER
	modeWriter      = csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
	modeReader      = csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY
	modeReaders     = csi.VolumeCapability_AccessMode_MULTI_NODE_READER_ONLY
	modeOneWriter   = csi.VolumeCapability_AccessMode_MULTI_NODE_SINGLE_WRITER
	modeManyWriters = csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER
)

// mounted returns the capability to mount in the access mode with the flags.
func mounted(mode csi.VolumeCapability_AccessMode_Mode, flags ...string) *csi.VolumeCapability {
	return &csi.VolumeCapability{
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: mode},
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{MountFlags: flags}},
	}
}

// formatted returns the capability to mount with a file system of the given type.
func formatted(mode csi.VolumeCapability_AccessMode_Mode, fsType string) *csi.VolumeCapability {
	c := mounted(mode)
	c.GetMount().FsType = fsType
	return c
}

// raw returns the capability to use the block device in the access mode.
func raw(mode csi.VolumeCapability_AccessMode_Mode) *csi.VolumeCapability {
	return &csi.VolumeCapability{
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: mode},
		AccessType: &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}},
	}
}

// testNode is a node over volumes in memory, with one volume of 1 GiB and a
// directory to stage it at.
type testNode struct {
	*Node
	t       *testing.T
	volumes *memory.Volumes
	id      string
	staging string
	targets string
	// state is the value of NodeConfig.StateDir.
	state string
}

const testVolumeBytes = 1 << 30

func newTestNode(t *testing.T) *testNode { return newTestNodeWith(t, volume.InMemory) }

// newTestNodeWith returns a node with a volume whose id names the kind, though it is in
// memory.
func newTestNodeWith(t *testing.T, kind volume.Kind) *testNode {
	t.Helper()
	n := &testNode{t: t, volumes: memory.New(), id: newTestID(t, kind), staging: t.TempDir(), targets: t.TempDir(), state: t.TempDir()}
	if err := n.volumes.Create(t.Context(), n.id, volume.Size{Bytes: testVolumeBytes}, volume.Origin{}); err != nil {
		t.Fatal(err)
	}
	n.start(NodeConfig{})
	return n
}

func newTestID(t *testing.T, kind volume.Kind) string {
	t.Helper()
	id, err := volume.NewID(kind)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// start starts the plugin, or replaces it by one that finds the state of the earlier one; c is the configuration without
// NodeID and StateDir.
func (n *testNode) start(c NodeConfig) {
	n.t.Helper()
	c.NodeID, c.StateDir = "n", n.state
	if c.Volumes == nil {
		c.Volumes = n.volumes
	}
	node, err := NewNode(logr.NewContext(n.t.Context(), logr.Discard()), c)
	if err != nil {
		n.t.Fatal(err)
	}
	n.Node = node
}

func (n *testNode) restart() { n.t.Helper(); n.start(NodeConfig{}) }

// target returns the target path with that name.
func (n *testNode) target(name string) string { return filepath.Join(n.targets, name) }

func (n *testNode) stage(as *csi.VolumeCapability) error {
	_, err := n.NodeStageVolume(n.t.Context(), &csi.NodeStageVolumeRequest{VolumeId: n.id, StagingTargetPath: n.staging, VolumeCapability: as})
	return err
}

func (n *testNode) unstage() error {
	_, err := n.NodeUnstageVolume(n.t.Context(), &csi.NodeUnstageVolumeRequest{VolumeId: n.id, StagingTargetPath: n.staging})
	return err
}

// publication returns the request to publish the staged volume at a target path.
func (n *testNode) publication(name string, as *csi.VolumeCapability) *csi.NodePublishVolumeRequest {
	return &csi.NodePublishVolumeRequest{VolumeId: n.id, StagingTargetPath: n.staging, TargetPath: n.target(name), VolumeCapability: as}
}

func (n *testNode) publish(name string, as *csi.VolumeCapability) error {
	_, err := n.NodePublishVolume(n.t.Context(), n.publication(name, as))
	return err
}

func (n *testNode) unpublish(name string) error {
	_, err := n.NodeUnpublishVolume(n.t.Context(), &csi.NodeUnpublishVolumeRequest{VolumeId: n.id, TargetPath: n.target(name)})
	return err
}

func (n *testNode) expand(path string) error {
	_, err := n.NodeExpandVolume(n.t.Context(), &csi.NodeExpandVolumeRequest{VolumeId: n.id, VolumePath: path})
	return err
}

// done fails the test unless the call succeeded.
func (n *testNode) done(err error) {
	n.t.Helper()
	if err != nil {
		n.t.Fatal(err)
	}
}

func wantCode(t *testing.T, err error, want codes.Code) {
	t.Helper()
	got := status.Convert(err)
	if got.Code() != want {
		t.Errorf("answered %s (%s), want %s", got.Code(), got.Message(), want)
	}
	if want != codes.OK && got.Message() == "" {
		t.Error("a status other than OK must have a message (GEN-15)")
	}
}

// wantReason checks the code, and that the message contains the reason.
func wantReason(t *testing.T, err error, want codes.Code, reason string) {
	t.Helper()
	wantCode(t, err, want)
	if got := status.Convert(err).Message(); !strings.Contains(got, reason) {
		t.Errorf("answered %q, which should say %q", got, reason)
	}
}

func TestNewNode(t *testing.T) {
	for _, test := range []struct {
		name  string
		given NodeConfig
		want  string // in the error; "" means no error
	}{
		{name: "the least", given: NodeConfig{NodeID: "n", Volumes: memory.New()}},
		{name: "the longest id", given: NodeConfig{NodeID: strings.Repeat("n", 256), Volumes: memory.New()}},
		{name: "too long an id", given: NodeConfig{NodeID: strings.Repeat("n", 257), Volumes: memory.New()}, want: "257"},
		{name: "no id", given: NodeConfig{Volumes: memory.New()}, want: "node id"},
		{name: "negative limit", given: NodeConfig{NodeID: "n", MaxVolumes: -1, Volumes: memory.New()}, want: "-1"},
		{name: "no mounter", given: NodeConfig{NodeID: "n"}, want: "mounter"},
		{name: "no place for its state", given: NodeConfig{NodeID: "n", Volumes: memory.New(), StateDir: "/dev/null"}, want: "/dev/null"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := NewNode(t.Context(), test.given)
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("answered %v, want an error about %s", err, test.want)
			}
		})
	}
}

func TestNodeGetInfo(t *testing.T) {
	segment := topology.Segment{topology.RegionKey: "R1", topology.ZoneKey: "Z2"}
	for _, test := range []struct {
		name  string
		given topology.Segment
		want  topology.Segment
	}{
		{name: "with topology", given: segment, want: segment},
		{name: "without topology"},
	} {
		t.Run(test.name, func(t *testing.T) {
			node, err := NewNode(t.Context(), NodeConfig{NodeID: "n", MaxVolumes: 7, Segment: test.given, Volumes: memory.New()})
			if err != nil {
				t.Fatal(err)
			}
			info, err := node.NodeGetInfo(t.Context(), &csi.NodeGetInfoRequest{})
			if err != nil {
				t.Fatal(err)
			}
			if info.GetNodeId() != "n" || info.GetMaxVolumesPerNode() != 7 {
				t.Errorf("answered %v", info)
			}
			if (info.GetAccessibleTopology() == nil) != (test.want == nil) || !test.want.Equal(info.GetAccessibleTopology().GetSegments()) {
				t.Errorf("accessible_topology is %v, want %v", info.GetAccessibleTopology(), test.want)
			}
		})
	}
}

// blocking is a Mounter whose Stage reports that it has begun, and then waits.
type blocking struct {
	*memory.Volumes
	begun, goOn chan struct{}
}

func (b blocking) Stage(ctx context.Context, id, path string, o volume.StageOptions) error {
	b.begun <- struct{}{}
	<-b.goOn
	return b.Volumes.Stage(ctx, id, path, o)
}

func TestNodeSerialisesPerVolume(t *testing.T) {
	node := newTestNode(t)
	slow := blocking{Volumes: node.volumes, begun: make(chan struct{}), goOn: make(chan struct{})}
	node.start(NodeConfig{Volumes: slow})
	staged := make(chan error, 1)
	go func() { staged <- node.stage(mounted(modeWriter)) }()
	<-slow.begun

	// A caller that does not wait gets the answer that another call is pending
	// (GEN-03).
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range map[string]func() error{
		"stage": func() error {
			_, err := node.NodeStageVolume(impatient, &csi.NodeStageVolumeRequest{VolumeId: node.id, StagingTargetPath: node.staging, VolumeCapability: mounted(modeWriter)})
			return err
		},
		"unstage": func() error {
			_, err := node.NodeUnstageVolume(impatient, &csi.NodeUnstageVolumeRequest{VolumeId: node.id, StagingTargetPath: node.staging})
			return err
		},
		"publish": func() error {
			_, err := node.NodePublishVolume(impatient, node.publication("a", mounted(modeWriter)))
			return err
		},
		"unpublish": func() error {
			_, err := node.NodeUnpublishVolume(impatient, &csi.NodeUnpublishVolumeRequest{VolumeId: node.id, TargetPath: node.target("a")})
			return err
		},
		"expand": func() error {
			_, err := node.NodeExpandVolume(impatient, &csi.NodeExpandVolumeRequest{VolumeId: node.id, VolumePath: node.staging})
			return err
		},
		"health": func() error {
			_, err := node.NodeGetVolumeHealth(impatient, &csi.NodeGetVolumeHealthRequest{VolumeId: node.id})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) { wantCode(t, call(), codes.Aborted) })
	}
	// Neither another volume nor the statistics of this one block the call.
	_, err := node.NodeUnstageVolume(t.Context(), &csi.NodeUnstageVolumeRequest{VolumeId: newTestID(t, volume.InMemory), StagingTargetPath: node.staging})
	wantCode(t, err, codes.NotFound)
	_, err = node.NodeGetVolumeStats(t.Context(), &csi.NodeGetVolumeStatsRequest{VolumeId: node.id, VolumePath: node.staging})
	wantCode(t, err, codes.NotFound)

	close(slow.goOn)
	node.done(<-staged)
	_, err = node.NodeGetVolumeStats(t.Context(), &csi.NodeGetVolumeStatsRequest{VolumeId: node.id, VolumePath: node.staging})
	wantCode(t, err, codes.OK)
}

// TestMounterErrors checks the code for each error of a mounter.
func TestMounterErrors(t *testing.T) {
	for _, test := range []struct {
		given error
		want  codes.Code
	}{
		{volume.ErrNotFound, codes.NotFound},
		{volume.ErrInvalid, codes.InvalidArgument},
		{volume.ErrIncompatible, codes.AlreadyExists},
		{volume.ErrRefused, codes.FailedPrecondition},
		{context.DeadlineExceeded, codes.DeadlineExceeded},
		{context.Canceled, codes.Canceled},
		{errors.New("the disk is on fire"), codes.Internal},
	} {
		t.Run(test.want.String(), func(t *testing.T) { wantReason(t, nodeStatus(test.given), test.want, test.given.Error()) })
	}
}
