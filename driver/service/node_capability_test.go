// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/driver/volume"
	"github.com/csi-topo/csi-topo/driver/volume/memory"
)

func TestNodeRefusesCapabilities(t *testing.T) {
	none := &csi.VolumeCapability{AccessMode: &csi.VolumeCapability_AccessMode{Mode: modeWriter}}
	grouped := mounted(modeWriter)
	grouped.GetMount().VolumeMountGroup = "1000"
	for _, test := range []struct {
		name  string
		kind  volume.Kind
		given *csi.VolumeCapability
		// want is the code of stage and publish; expand returns INVALID_ARGUMENT unless want is OK.
		want codes.Code
		why  string
	}{
		{"none", volume.Image, nil, codes.InvalidArgument, "volume_capability"},
		{"no access type", volume.Image, none, codes.InvalidArgument, "access_type"},
		{"no access mode", volume.Image, mounted(0), codes.InvalidArgument, "access_mode"},
		{"no such access mode", volume.Dir, mounted(99), codes.FailedPrecondition, "99"},
		{"an image on several nodes, reading", volume.Image, mounted(modeReaders), codes.FailedPrecondition, "MULTI_NODE_READER_ONLY"},
		{"an image on several nodes, one writing", volume.Image, mounted(modeOneWriter), codes.FailedPrecondition, "MULTI_NODE_SINGLE_WRITER"},
		{"an image on several nodes, writing", volume.Image, mounted(modeManyWriters), codes.FailedPrecondition, "MULTI_NODE_MULTI_WRITER"},
		{"an image on several nodes, raw", volume.Image, raw(modeManyWriters), codes.FailedPrecondition, "MULTI_NODE_MULTI_WRITER"},
		{"a directory, raw", volume.Dir, raw(modeWriter), codes.FailedPrecondition, "block"},
		{"a directory with a file system", volume.Dir, formatted(modeWriter, "xfs"), codes.FailedPrecondition, "xfs"},
		{"another file system", volume.Image, formatted(modeWriter, "ntfs"), codes.FailedPrecondition, "ntfs"},
		{"a group", volume.Image, grouped, codes.FailedPrecondition, "volume_mount_group"},
		{"too many flags", volume.Image, mounted(modeWriter, strings.Repeat("f", 4097)), codes.FailedPrecondition, "4097"},
	} {
		t.Run(test.name, func(t *testing.T) {
			node := newTestNodeWith(t, test.kind)
			wantReason(t, node.stage(test.given), test.want, test.why)
			node.done(node.stage(mounted(modeWriter)))
			wantReason(t, node.publish("a", test.given), test.want, test.why)
			_, err := node.NodeExpandVolume(t.Context(), &csi.NodeExpandVolumeRequest{VolumeId: node.id, VolumePath: node.staging, VolumeCapability: test.given})
			if test.given == nil {
				wantCode(t, err, codes.OK)
			} else {
				wantCode(t, err, codes.InvalidArgument)
			}
			if _, err := os.Stat(node.target("a")); err == nil {
				t.Error("what was refused was made")
			}
		})
	}
}

// TestNodeTakesCapabilities checks that volumes can be staged and published with all capabilities that their kind has.
func TestNodeTakesCapabilities(t *testing.T) {
	for _, test := range []struct {
		name  string
		kind  volume.Kind
		given *csi.VolumeCapability
		want  volume.PublishOptions
	}{
		{"image, writer", volume.Image, mounted(modeWriter), volume.PublishOptions{}},
		{"image, single writer", volume.Image, mounted(modeSingle), volume.PublishOptions{}},
		{"image, several writers", volume.Image, mounted(modeMulti), volume.PublishOptions{}},
		{"image, reader", volume.Image, mounted(modeReader), volume.PublishOptions{ReadOnly: true}},
		{"image, with flags", volume.Image, mounted(modeWriter, "noatime", "sync"), volume.PublishOptions{}},
		{"image, ext4", volume.Image, formatted(modeWriter, "ext4"), volume.PublishOptions{}},
		{"image, raw", volume.Image, raw(modeSingle), volume.PublishOptions{Block: true}},
		{"image, raw, reader", volume.Image, raw(modeReader), volume.PublishOptions{Block: true, ReadOnly: true}},
		{"directory, writer", volume.Dir, mounted(modeWriter), volume.PublishOptions{}},
		{"directory on several nodes, reading", volume.Dir, mounted(modeReaders), volume.PublishOptions{ReadOnly: true}},
		{"directory on several nodes, one writing", volume.Dir, mounted(modeOneWriter), volume.PublishOptions{}},
		{"directory on several nodes, writing", volume.Dir, mounted(modeManyWriters), volume.PublishOptions{}},
		{"memory on several nodes, raw", volume.InMemory, raw(modeManyWriters), volume.PublishOptions{Block: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			node := newTestNodeWith(t, test.kind)
			seen := &seeing{Volumes: node.volumes}
			node.start(NodeConfig{Volumes: seen})
			node.done(node.stage(test.given))
			node.done(node.publish("a", test.given))
			if seen.published != test.want {
				t.Errorf("published as %+v, want %+v", seen.published, test.want)
			}
			staged := volume.StageOptions{
				Block: test.want.Block, ReadOnly: test.want.ReadOnly,
				FSType: test.given.GetMount().GetFsType(), MountFlags: test.given.GetMount().GetMountFlags(),
			}
			if !reflect.DeepEqual(seen.staged, staged) {
				t.Errorf("staged as %+v, want %+v", seen.staged, staged)
			}
			info, err := os.Stat(node.target("a"))
			if err != nil || info.IsDir() == test.want.Block {
				t.Errorf("the target is %v (%v); want a file for a block device, and a directory else", info, err)
			}
		})
	}
}

// seeing is a Mounter that records the options of its calls.
type seeing struct {
	*memory.Volumes
	staged    volume.StageOptions
	published volume.PublishOptions
}

func (s *seeing) Stage(ctx context.Context, id, path string, o volume.StageOptions) error {
	s.staged = o
	return s.Volumes.Stage(ctx, id, path, o)
}

func (s *seeing) Publish(ctx context.Context, id, staging, target string, o volume.PublishOptions) error {
	s.published = o
	return s.Volumes.Publish(ctx, id, staging, target, o)
}
