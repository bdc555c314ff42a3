// SPDX-License-Identifier: Apache-2.0

package service

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc/codes"
)

// nodeCall is one RPC that names a volume and a path, with everything else valid.
type nodeCall struct {
	name string
	// field is the field with the path.
	field string
	// at calls for the volume at the path.
	at func(ctx context.Context, n *testNode, id, path string) error
}

// nodeCalls returns all calls, one for each field with a path.
func nodeCalls() []nodeCall {
	as := mounted(modeWriter)
	return []nodeCall{
		{"stage", "staging_target_path", func(ctx context.Context, n *testNode, id, path string) error {
			_, err := n.NodeStageVolume(ctx, &csi.NodeStageVolumeRequest{VolumeId: id, StagingTargetPath: path, VolumeCapability: as})
			return err
		}},
		{"unstage", "staging_target_path", func(ctx context.Context, n *testNode, id, path string) error {
			_, err := n.NodeUnstageVolume(ctx, &csi.NodeUnstageVolumeRequest{VolumeId: id, StagingTargetPath: path})
			return err
		}},
		{"publish", "target_path", func(ctx context.Context, n *testNode, id, path string) error {
			_, err := n.NodePublishVolume(ctx, &csi.NodePublishVolumeRequest{VolumeId: id, StagingTargetPath: n.staging, TargetPath: path, VolumeCapability: as})
			return err
		}},
		{"publish, where it is staged", "staging_target_path", func(ctx context.Context, n *testNode, id, path string) error {
			_, err := n.NodePublishVolume(ctx, &csi.NodePublishVolumeRequest{VolumeId: id, StagingTargetPath: path, TargetPath: n.target("t"), VolumeCapability: as})
			return err
		}},
		{"unpublish", "target_path", func(ctx context.Context, n *testNode, id, path string) error {
			_, err := n.NodeUnpublishVolume(ctx, &csi.NodeUnpublishVolumeRequest{VolumeId: id, TargetPath: path})
			return err
		}},
		{"expand", "volume_path", func(ctx context.Context, n *testNode, id, path string) error {
			_, err := n.NodeExpandVolume(ctx, &csi.NodeExpandVolumeRequest{VolumeId: id, VolumePath: path})
			return err
		}},
		{"expand, where it is staged", "staging_target_path", func(ctx context.Context, n *testNode, id, path string) error {
			_, err := n.NodeExpandVolume(ctx, &csi.NodeExpandVolumeRequest{VolumeId: id, VolumePath: n.staging, StagingTargetPath: path})
			return err
		}},
		{"stats", "volume_path", func(ctx context.Context, n *testNode, id, path string) error {
			_, err := n.NodeGetVolumeStats(ctx, &csi.NodeGetVolumeStatsRequest{VolumeId: id, VolumePath: path})
			return err
		}},
		{"stats, where it is staged", "staging_target_path", func(ctx context.Context, n *testNode, id, path string) error {
			_, err := n.NodeGetVolumeStats(ctx, &csi.NodeGetVolumeStatsRequest{VolumeId: id, VolumePath: n.staging, StagingTargetPath: path})
			return err
		}},
		{"health, where it is published", "volume_publish_path", func(ctx context.Context, n *testNode, id, path string) error {
			_, err := n.NodeGetVolumeHealth(ctx, &csi.NodeGetVolumeHealthRequest{VolumeId: id, VolumePublishPath: path})
			return err
		}},
		{"health, where it is staged", "staging_target_path", func(ctx context.Context, n *testNode, id, path string) error {
			_, err := n.NodeGetVolumeHealth(ctx, &csi.NodeGetVolumeHealthRequest{VolumeId: id, StagingTargetPath: path})
			return err
		}},
	}
}

func TestNodeRefusesPaths(t *testing.T) {
	below := strings.Repeat("/"+strings.Repeat("d", 100), 50)
	for _, test := range []struct {
		name  string
		given func(dir string) string
		want  codes.Code
		// why is the text that the message must contain in addition to the field.
		why string
	}{
		{"relative", func(string) string { return "some/path" }, codes.InvalidArgument, "absolute"},
		{"relative, by an element", func(string) string { return "../etc" }, codes.InvalidArgument, "absolute"},
		{"two elements up", func(dir string) string { return dir + "/../../etc" }, codes.InvalidArgument, `".."`},
		{"up and down again", func(dir string) string { return filepath.Dir(dir) + "/x/../" + filepath.Base(dir) }, codes.InvalidArgument, `".."`},
		{"up at the end", func(dir string) string { return dir + "/.." }, codes.InvalidArgument, `".."`},
		{"the same directory", func(dir string) string { return dir + "/./x" }, codes.InvalidArgument, `"."`},
		{"doubled slash", func(dir string) string { return dir + "//x" }, codes.InvalidArgument, "empty"},
		{"slash at the end", func(dir string) string { return dir + "/" }, codes.InvalidArgument, "slash"},
		{"the root directory", func(string) string { return "/" }, codes.InvalidArgument, "root"},
		{"NUL", func(dir string) string { return dir + "/x\x00/y" }, codes.InvalidArgument, "NUL"},
		{"too long a name", func(dir string) string { return dir + "/" + strings.Repeat("d", 256) }, codes.InvalidArgument, "255"},
		{"too long", func(string) string { return below[:4096] }, codes.InvalidArgument, "4096"},
	} {
		for _, call := range nodeCalls() {
			t.Run(call.name+": "+test.name, func(t *testing.T) {
				node := newTestNode(t)
				node.done(node.stage(mounted(modeWriter)))
				want := test.want
				if call.field == "volume_path" && !filepath.IsAbs(test.given(node.targets)) {
					want = codes.NotFound // as csi-sanity expects
				}
				err := call.at(t.Context(), node, node.id, test.given(node.targets))
				wantReason(t, err, want, test.why)
				wantReason(t, err, want, call.field)
			})
		}
	}
}

// TestNodeTakesLongPaths checks paths of the minimum length that CSI requires, and of the maximum of Linux. The mounter
// checks whether anything is at the path.
func TestNodeTakesLongPaths(t *testing.T) {
	for _, length := range []int{128, 4095} {
		for _, call := range nodeCalls() {
			t.Run(call.name, func(t *testing.T) {
				node := newTestNode(t)
				node.done(node.stage(mounted(modeWriter)))
				path := node.targets + strings.Repeat("/"+strings.Repeat("d", 99), 50)
				if path = path[:length]; strings.HasSuffix(path, "/") {
					path = path[:length-1] + "d"
				}
				wantCode(t, checkPath(call.field, path), codes.OK)
				if err := call.at(t.Context(), node, node.id, path); err != nil && strings.Contains(err.Error(), "may have") {
					t.Errorf("a path of %d bytes is refused: %v", length, err)
				}
			})
		}
	}
}

// TestNodeRefusesLinks checks that a symbolic link to a directory outside is refused at each path where something is
// created or removed.
func TestNodeRefusesLinks(t *testing.T) {
	for _, call := range nodeCalls() {
		t.Run(call.name, func(t *testing.T) {
			node := newTestNode(t)
			node.done(node.stage(mounted(modeWriter)))
			outside, link := t.TempDir(), node.target("link")
			if err := os.Symlink(outside, link); err != nil {
				t.Fatal(err)
			}
			err := call.at(t.Context(), node, node.id, link)
			switch call.name {
			case "stage", "unstage", "publish", "unpublish":
				wantReason(t, err, codes.InvalidArgument, "symbolic link")
			case "publish, where it is staged":
				wantCode(t, err, codes.FailedPrecondition)
			case "expand", "stats":
				wantCode(t, err, codes.NotFound)
			}
			if _, err := os.Lstat(link); err != nil {
				t.Errorf("the link is gone: %v", err)
			}
			if _, err := os.Stat(outside); err != nil {
				t.Errorf("what the link leads to is gone: %v", err)
			}
		})
	}
}

// TestNodeFollowsLinksOnTheWay checks that the directory of the targets may be reached by a link, as the kubelet's
// directory often is.
func TestNodeFollowsLinksOnTheWay(t *testing.T) {
	node := newTestNode(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(node.targets, link); err != nil {
		t.Fatal(err)
	}
	node.targets = link
	node.done(node.stage(mounted(modeWriter)))
	node.done(node.publish("a", mounted(modeWriter)))
	node.done(node.unpublish("a"))
}

func TestNodeRefusesPathsBelowAFile(t *testing.T) {
	for _, call := range nodeCalls() {
		switch call.name {
		case "stage", "unstage", "publish", "unpublish":
		default:
			continue // nothing is created or removed there
		}
		t.Run(call.name, func(t *testing.T) {
			node := newTestNode(t)
			file := node.target("file")
			if err := os.WriteFile(file, []byte("kept"), 0o600); err != nil {
				t.Fatal(err)
			}
			wantCode(t, call.at(t.Context(), node, node.id, file+"/x"), codes.InvalidArgument)
		})
	}
}

// TestNodeLeavesForeignPathsAlone checks that unpublishing a foreign volume at a directory that is not the driver's
// leaves the directory.
func TestNodeLeavesForeignPathsAlone(t *testing.T) {
	node := newTestNode(t)
	empty := node.target("empty")
	if err := os.Mkdir(empty, 0o750); err != nil {
		t.Fatal(err)
	}
	_, err := node.NodeUnpublishVolume(t.Context(), &csi.NodeUnpublishVolumeRequest{VolumeId: "csi-0123456789abcdef", TargetPath: empty})
	wantCode(t, err, codes.NotFound)
	if _, err := os.Stat(empty); err != nil {
		t.Errorf("a directory that is not the driver's is gone: %v", err)
	}
}
