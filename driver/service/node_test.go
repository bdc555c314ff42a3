package service

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/driver/topology"
	"github.com/csi-topo/csi-topo/driver/volume"
)

const (
	singleWriter = csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER
	multiWriter  = csi.VolumeCapability_AccessMode_SINGLE_NODE_MULTI_WRITER
	nodeWriter   = csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER
	reader       = csi.VolumeCapability_AccessMode_SINGLE_NODE_READER_ONLY
)

// mounted is the capability to mount in the access mode with the flags.
func mounted(mode csi.VolumeCapability_AccessMode_Mode, flags ...string) *csi.VolumeCapability {
	return &csi.VolumeCapability{
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: mode},
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{MountFlags: flags}},
	}
}

func block() *csi.VolumeCapability {
	return &csi.VolumeCapability{
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: nodeWriter},
		AccessType: &csi.VolumeCapability_Block{Block: &csi.VolumeCapability_BlockVolume{}},
	}
}

// newTestNode returns a node with a volume "v" of 1 GiB in memory and a staging directory.
func newTestNode(t *testing.T) (node *Node, volumes *volume.Memory, staging string) {
	t.Helper()
	volumes = volume.NewMemory()
	if err := volumes.Create(t.Context(), "v", 1<<30); err != nil {
		t.Fatal(err)
	}
	return NewNode(NodeConfig{NodeID: "n", Volumes: volumes}), volumes, t.TempDir()
}

// stage stages "v", which must succeed.
func stage(t *testing.T, node *Node, staging string, as *csi.VolumeCapability) {
	t.Helper()
	if _, err := node.NodeStageVolume(t.Context(), &csi.NodeStageVolumeRequest{VolumeId: "v", StagingTargetPath: staging, VolumeCapability: as}); err != nil {
		t.Fatal(err)
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

func TestNodeGetInfo(t *testing.T) {
	segment := topology.Segment{topology.RegionKey: "R1", topology.ZoneKey: "Z2"}
	for _, test := range []struct {
		name  string
		given NodeConfig
		want  topology.Segment
	}{
		{name: "with topology", given: NodeConfig{NodeID: "n", Segment: segment, MaxVolumes: 7}, want: segment},
		{name: "without topology", given: NodeConfig{NodeID: "n", MaxVolumes: 7}},
	} {
		t.Run(test.name, func(t *testing.T) {
			info, err := NewNode(test.given).NodeGetInfo(t.Context(), &csi.NodeGetInfoRequest{})
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

func TestNodeGetCapabilities(t *testing.T) {
	response, err := NewNode(NodeConfig{}).NodeGetCapabilities(t.Context(), &csi.NodeGetCapabilitiesRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, capability := range response.GetCapabilities() {
		got = append(got, capability.GetRpc().GetType().String())
	}
	slices.Sort(got)
	want := []string{"EXPAND_VOLUME", "GET_VOLUME_STATS", "SINGLE_NODE_MULTI_WRITER", "STAGE_UNSTAGE_VOLUME"}
	if !slices.Equal(got, want) {
		t.Errorf("the node claims %v, want %v", got, want)
	}
}

func TestNodeRefusesIncompleteRequests(t *testing.T) {
	node, _, staging := newTestNode(t)
	stage(t, node, staging, mounted(nodeWriter))
	target := filepath.Join(t.TempDir(), "target")
	type call = func(context.Context) error
	stageWith := func(r *csi.NodeStageVolumeRequest) call {
		return func(ctx context.Context) error { _, err := node.NodeStageVolume(ctx, r); return err }
	}
	unstageWith := func(r *csi.NodeUnstageVolumeRequest) call {
		return func(ctx context.Context) error { _, err := node.NodeUnstageVolume(ctx, r); return err }
	}
	publishWith := func(r *csi.NodePublishVolumeRequest) call {
		return func(ctx context.Context) error { _, err := node.NodePublishVolume(ctx, r); return err }
	}
	unpublishWith := func(r *csi.NodeUnpublishVolumeRequest) call {
		return func(ctx context.Context) error { _, err := node.NodeUnpublishVolume(ctx, r); return err }
	}
	expandWith := func(r *csi.NodeExpandVolumeRequest) call {
		return func(ctx context.Context) error { _, err := node.NodeExpandVolume(ctx, r); return err }
	}
	statsWith := func(r *csi.NodeGetVolumeStatsRequest) call {
		return func(ctx context.Context) error { _, err := node.NodeGetVolumeStats(ctx, r); return err }
	}
	as, none := mounted(nodeWriter), &csi.VolumeCapability{AccessMode: &csi.VolumeCapability_AccessMode{Mode: nodeWriter}}
	for _, test := range []struct {
		name  string
		given call
		want  codes.Code
	}{
		{"stage: no volume", stageWith(&csi.NodeStageVolumeRequest{StagingTargetPath: staging, VolumeCapability: as}), codes.InvalidArgument},
		{"stage: no path", stageWith(&csi.NodeStageVolumeRequest{VolumeId: "v", VolumeCapability: as}), codes.InvalidArgument},
		{"stage: relative path", stageWith(&csi.NodeStageVolumeRequest{VolumeId: "v", StagingTargetPath: "a/b", VolumeCapability: as}), codes.InvalidArgument},
		{"stage: no capability", stageWith(&csi.NodeStageVolumeRequest{VolumeId: "v", StagingTargetPath: staging}), codes.InvalidArgument},
		{"stage: no access type", stageWith(&csi.NodeStageVolumeRequest{VolumeId: "v", StagingTargetPath: staging, VolumeCapability: none}), codes.InvalidArgument},
		{"stage: no access mode", stageWith(&csi.NodeStageVolumeRequest{VolumeId: "v", StagingTargetPath: staging, VolumeCapability: mounted(0)}), codes.InvalidArgument},
		{"stage: block", stageWith(&csi.NodeStageVolumeRequest{VolumeId: "v", StagingTargetPath: staging, VolumeCapability: block()}), codes.FailedPrecondition},
		{"stage: a mode of several nodes", stageWith(&csi.NodeStageVolumeRequest{
			VolumeId: "v", StagingTargetPath: staging,
			VolumeCapability: mounted(csi.VolumeCapability_AccessMode_MULTI_NODE_MULTI_WRITER),
		}), codes.FailedPrecondition},
		{"stage: unknown volume", stageWith(&csi.NodeStageVolumeRequest{VolumeId: "x", StagingTargetPath: staging, VolumeCapability: as}), codes.NotFound},
		{"unstage: no volume", unstageWith(&csi.NodeUnstageVolumeRequest{StagingTargetPath: staging}), codes.InvalidArgument},
		{"unstage: no path", unstageWith(&csi.NodeUnstageVolumeRequest{VolumeId: "v"}), codes.InvalidArgument},
		{"unstage: unknown volume", unstageWith(&csi.NodeUnstageVolumeRequest{VolumeId: "x", StagingTargetPath: staging}), codes.NotFound},
		{"publish: no volume", publishWith(&csi.NodePublishVolumeRequest{StagingTargetPath: staging, TargetPath: target, VolumeCapability: as}), codes.InvalidArgument},
		{"publish: no target", publishWith(&csi.NodePublishVolumeRequest{VolumeId: "v", StagingTargetPath: staging, VolumeCapability: as}), codes.InvalidArgument},
		{"publish: no capability", publishWith(&csi.NodePublishVolumeRequest{VolumeId: "v", StagingTargetPath: staging, TargetPath: target}), codes.InvalidArgument},
		{"publish: no staging path", publishWith(&csi.NodePublishVolumeRequest{VolumeId: "v", TargetPath: target, VolumeCapability: as}), codes.FailedPrecondition},
		{"publish: not staged there", publishWith(&csi.NodePublishVolumeRequest{VolumeId: "v", StagingTargetPath: target, TargetPath: target, VolumeCapability: as}), codes.FailedPrecondition},
		{"publish: block", publishWith(&csi.NodePublishVolumeRequest{VolumeId: "v", StagingTargetPath: staging, TargetPath: target, VolumeCapability: block()}), codes.FailedPrecondition},
		{"publish: unknown volume", publishWith(&csi.NodePublishVolumeRequest{VolumeId: "x", StagingTargetPath: staging, TargetPath: target, VolumeCapability: as}), codes.NotFound},
		{"unpublish: no volume", unpublishWith(&csi.NodeUnpublishVolumeRequest{TargetPath: target}), codes.InvalidArgument},
		{"unpublish: no target", unpublishWith(&csi.NodeUnpublishVolumeRequest{VolumeId: "v"}), codes.InvalidArgument},
		{"unpublish: unknown volume", unpublishWith(&csi.NodeUnpublishVolumeRequest{VolumeId: "x", TargetPath: target}), codes.NotFound},
		{"expand: no volume", expandWith(&csi.NodeExpandVolumeRequest{VolumePath: staging}), codes.InvalidArgument},
		{"expand: no path", expandWith(&csi.NodeExpandVolumeRequest{VolumeId: "v"}), codes.InvalidArgument},
		{"expand: block", expandWith(&csi.NodeExpandVolumeRequest{VolumeId: "v", VolumePath: staging, VolumeCapability: block()}), codes.InvalidArgument},
		{"expand: unknown volume", expandWith(&csi.NodeExpandVolumeRequest{VolumeId: "x", VolumePath: staging}), codes.NotFound},
		{"expand: not at the path", expandWith(&csi.NodeExpandVolumeRequest{VolumeId: "v", VolumePath: target}), codes.NotFound},
		{"stats: no volume", statsWith(&csi.NodeGetVolumeStatsRequest{VolumePath: staging}), codes.InvalidArgument},
		{"stats: no path", statsWith(&csi.NodeGetVolumeStatsRequest{VolumeId: "v"}), codes.InvalidArgument},
		{"stats: unknown volume", statsWith(&csi.NodeGetVolumeStatsRequest{VolumeId: "x", VolumePath: staging}), codes.NotFound},
		{"stats: not at the path", statsWith(&csi.NodeGetVolumeStatsRequest{VolumeId: "v", VolumePath: target}), codes.NotFound},
	} {
		t.Run(test.name, func(t *testing.T) { wantCode(t, test.given(t.Context()), test.want) })
	}
}

func TestNodeStageVolumeAgain(t *testing.T) {
	for _, test := range []struct {
		name  string
		again *csi.VolumeCapability
		want  codes.Code
	}{
		{name: "the same", again: mounted(nodeWriter, "noatime"), want: codes.OK},
		{name: "another writer's mode, mounted alike", again: mounted(multiWriter, "noatime"), want: codes.OK},
		{name: "other flags", again: mounted(nodeWriter, "sync"), want: codes.AlreadyExists},
		{name: "read-only", again: mounted(reader, "noatime"), want: codes.AlreadyExists},
	} {
		t.Run(test.name, func(t *testing.T) {
			node, _, staging := newTestNode(t)
			stage(t, node, staging, mounted(nodeWriter, "noatime"))
			request := &csi.NodeStageVolumeRequest{VolumeId: "v", StagingTargetPath: staging, VolumeCapability: test.again}
			_, err := node.NodeStageVolume(t.Context(), request)
			wantCode(t, err, test.want)

			if _, err := node.NodeUnstageVolume(t.Context(), &csi.NodeUnstageVolumeRequest{VolumeId: "v", StagingTargetPath: staging}); err != nil {
				t.Fatal(err)
			}
			_, err = node.NodeStageVolume(t.Context(), request)
			wantCode(t, err, codes.OK)
		})
	}
}

// TestNodePublishVolumeTwice is the table of the spec for a second
// NodePublishVolume, for plugins with SINGLE_NODE_MULTI_WRITER (NS-14).
func TestNodePublishVolumeTwice(t *testing.T) {
	for _, test := range []struct {
		name          string
		first, second *csi.VolumeCapability
		readOnly      bool // of the second
		elsewhere     bool // the second at another target path: T1 != T2
		want          codes.Code
	}{
		{name: "single writer T1=T2 P1=P2", first: mounted(singleWriter), second: mounted(singleWriter), want: codes.OK},
		{name: "single writer T1=T2 P1!=P2", first: mounted(singleWriter), second: mounted(singleWriter), readOnly: true, want: codes.AlreadyExists},
		{name: "single writer T1!=T2 P1=P2", first: mounted(singleWriter), second: mounted(singleWriter), elsewhere: true, want: codes.FailedPrecondition},
		{name: "single writer T1!=T2 P1!=P2", first: mounted(singleWriter), second: mounted(singleWriter), readOnly: true, elsewhere: true, want: codes.FailedPrecondition},
		{name: "multi writer T1=T2 P1=P2", first: mounted(multiWriter), second: mounted(multiWriter), want: codes.OK},
		{name: "multi writer T1=T2 P1!=P2", first: mounted(multiWriter), second: mounted(multiWriter, "noatime"), want: codes.AlreadyExists},
		{name: "multi writer T1!=T2 P1=P2", first: mounted(multiWriter), second: mounted(multiWriter), elsewhere: true, want: codes.OK},
		{name: "multi writer T1!=T2 P1!=P2", first: mounted(multiWriter), second: mounted(multiWriter), readOnly: true, elsewhere: true, want: codes.OK},
		{name: "writer T1=T2 P1=P2", first: mounted(nodeWriter), second: mounted(nodeWriter), want: codes.OK},
		{name: "writer T1=T2 another mode", first: mounted(nodeWriter), second: mounted(multiWriter), want: codes.AlreadyExists},
		{name: "writer T1!=T2 P1=P2", first: mounted(nodeWriter), second: mounted(nodeWriter), elsewhere: true, want: codes.FailedPrecondition},
		{name: "multi writer, then a single writer elsewhere", first: mounted(multiWriter), second: mounted(singleWriter), elsewhere: true, want: codes.FailedPrecondition},
	} {
		t.Run(test.name, func(t *testing.T) {
			node, _, staging := newTestNode(t)
			stage(t, node, staging, mounted(multiWriter))
			first := &csi.NodePublishVolumeRequest{
				VolumeId: "v", StagingTargetPath: staging, TargetPath: filepath.Join(t.TempDir(), "first"), VolumeCapability: test.first,
			}
			if _, err := node.NodePublishVolume(t.Context(), first); err != nil {
				t.Fatal(err)
			}
			second := &csi.NodePublishVolumeRequest{
				VolumeId: "v", StagingTargetPath: staging, TargetPath: first.GetTargetPath(), VolumeCapability: test.second, Readonly: test.readOnly,
			}
			if test.elsewhere {
				second.TargetPath = filepath.Join(t.TempDir(), "second")
			}
			_, err := node.NodePublishVolume(t.Context(), second)
			wantCode(t, err, test.want)

			if _, err := node.NodeUnpublishVolume(t.Context(), &csi.NodeUnpublishVolumeRequest{VolumeId: "v", TargetPath: first.GetTargetPath()}); err != nil {
				t.Fatal(err)
			}
			_, err = node.NodePublishVolume(t.Context(), second)
			wantCode(t, err, codes.OK)
		})
	}
}

func TestNodeExpandVolumeRange(t *testing.T) {
	const gibi = 1 << 30 // the size of the volume
	for _, test := range []struct {
		name  string
		given *csi.CapacityRange
		want  codes.Code
	}{
		{name: "no range", want: codes.OK},
		{name: "what it has", given: &csi.CapacityRange{RequiredBytes: gibi}, want: codes.OK},
		{name: "less than it has", given: &csi.CapacityRange{RequiredBytes: gibi / 2}, want: codes.OK},
		{name: "more than the controller gave it", given: &csi.CapacityRange{RequiredBytes: gibi + 1}, want: codes.OutOfRange},
		{name: "required above limit", given: &csi.CapacityRange{RequiredBytes: gibi, LimitBytes: gibi - 1}, want: codes.InvalidArgument},
	} {
		t.Run(test.name, func(t *testing.T) {
			node, _, staging := newTestNode(t)
			stage(t, node, staging, mounted(nodeWriter))
			response, err := node.NodeExpandVolume(t.Context(), &csi.NodeExpandVolumeRequest{VolumeId: "v", VolumePath: staging, CapacityRange: test.given})
			wantCode(t, err, test.want)
			if test.want == codes.OK && response.GetCapacityBytes() != gibi {
				t.Errorf("answered %d bytes, want %d", response.GetCapacityBytes(), gibi)
			}
		})
	}
}

// blocking is a Mounter whose Stage says that it has begun, and then waits.
type blocking struct {
	*volume.Memory
	begun, goOn chan struct{}
}

func (b blocking) Stage(ctx context.Context, id, path string, o volume.StageOptions) error {
	b.begun <- struct{}{}
	<-b.goOn
	return b.Memory.Stage(ctx, id, path, o)
}

func TestNodeSerialisesPerVolume(t *testing.T) {
	_, volumes, staging := newTestNode(t)
	slow := blocking{Memory: volumes, begun: make(chan struct{}), goOn: make(chan struct{})}
	node := NewNode(NodeConfig{NodeID: "n", Volumes: slow})
	staged := make(chan error, 1)
	go func() {
		_, err := node.NodeStageVolume(t.Context(), &csi.NodeStageVolumeRequest{VolumeId: "v", StagingTargetPath: staging, VolumeCapability: mounted(nodeWriter)})
		staged <- err
	}()
	<-slow.begun

	// A caller that does not wait is told that another call is pending (GEN-03).
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := node.NodeUnstageVolume(impatient, &csi.NodeUnstageVolumeRequest{VolumeId: "v", StagingTargetPath: staging})
	wantCode(t, err, codes.Aborted)
	// Another volume is not in the way, nor are the statistics of this one.
	_, err = node.NodeUnstageVolume(t.Context(), &csi.NodeUnstageVolumeRequest{VolumeId: "w", StagingTargetPath: staging})
	wantCode(t, err, codes.NotFound)
	_, err = node.NodeGetVolumeStats(t.Context(), &csi.NodeGetVolumeStatsRequest{VolumeId: "v", VolumePath: staging})
	wantCode(t, err, codes.NotFound)

	close(slow.goOn)
	if err := <-staged; err != nil {
		t.Fatal(err)
	}
	_, err = node.NodeGetVolumeStats(t.Context(), &csi.NodeGetVolumeStatsRequest{VolumeId: "v", VolumePath: staging})
	wantCode(t, err, codes.OK)
}
