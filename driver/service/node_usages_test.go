// SPDX-License-Identifier: Apache-2.0

package service

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"google.golang.org/grpc/codes"
)

func TestNodeRemembersOverARestart(t *testing.T) {
	node := newTestNode(t)
	node.done(node.stage(mounted(modeSingle, "noatime")))
	node.done(node.publish("a", mounted(modeSingle, "noatime")))
	node.restart()

	wantReason(t, node.publish("b", mounted(modeSingle, "noatime")), codes.FailedPrecondition, node.target("a"))
	wantReason(t, node.publish("a", mounted(modeMulti, "noatime")), codes.AlreadyExists, modeSingle.String())
	wantReason(t, node.stage(mounted(modeSingle)), codes.AlreadyExists, "mount flags")
	wantCode(t, node.stage(mounted(modeSingle, "noatime")), codes.OK)
	wantCode(t, node.publish("a", mounted(modeSingle, "noatime")), codes.OK)
	wantCode(t, node.expand(node.target("a")), codes.OK)
	wantCode(t, node.unpublish("a"), codes.OK)
	wantCode(t, node.publish("b", mounted(modeSingle, "noatime")), codes.OK)
	node.restart()
	wantCode(t, node.unpublish("b"), codes.OK)
	wantCode(t, node.unstage(), codes.OK)
	node.wantNothingKept()
	node.restart()
	wantCode(t, node.stage(mounted(modeSingle)), codes.OK)
}

// wantNothingKept checks that the plugin has no records left, in memory or on disk.
func (n *testNode) wantNothingKept() {
	n.t.Helper()
	if left := n.usages.All(); len(left) > 0 {
		n.t.Errorf("it remembers %+v", left)
	}
	if left, err := os.ReadDir(n.state); err != nil || len(left) > 0 {
		n.t.Errorf("its state has the files %v (%v)", left, err)
	}
}

// TestNodeForgetsWithoutStateDir checks that a node without StateDir, as in the embedded driver, keeps its records until
// it ends, and relies on the mounts afterwards.
func TestNodeForgetsWithoutStateDir(t *testing.T) {
	node := newTestNode(t)
	node.state = ""
	node.restart()
	node.done(node.stage(mounted(modeSingle)))
	node.done(node.publish("a", mounted(modeSingle)))
	wantCode(t, node.publish("b", mounted(modeSingle)), codes.FailedPrecondition)
	node.restart()
	wantCode(t, node.stage(raw(modeSingle)), codes.AlreadyExists)
	wantCode(t, node.publish("a", mounted(modeSingle)), codes.OK)
	wantCode(t, node.publish("a", mounted(modeReader)), codes.AlreadyExists)
	wantCode(t, node.unpublish("a"), codes.OK)
	wantCode(t, node.unstage(), codes.OK)
}

// TestNodeLooksBeforeItRefuses checks that records of volumes that are no longer mounted, as after a restart of the node,
// do not make calls fail.
func TestNodeLooksBeforeItRefuses(t *testing.T) {
	node := newTestNode(t)
	node.done(node.stage(mounted(modeSingle, "noatime")))
	node.done(node.publish("a", mounted(modeSingle, "noatime")))
	node.done(node.volumes.Unpublish(t.Context(), node.id, node.target("a")))
	node.done(os.Mkdir(node.target("a"), 0o750)) // as a restart of the node leaves it
	node.done(node.volumes.Unstage(t.Context(), node.id, node.staging))
	for _, restarted := range []bool{false, true} {
		t.Run(fmt.Sprintf("restarted: %t", restarted), func(t *testing.T) {
			if restarted {
				node.restart()
			}
			wantCode(t, node.stage(mounted(modeSingle, "sync")), codes.OK)
			wantCode(t, node.publish("b", mounted(modeSingle, "sync")), codes.OK)
			wantCode(t, node.unpublish("b"), codes.OK)
			wantCode(t, node.publish("a", mounted(modeMulti, "sync")), codes.OK)
			wantCode(t, node.publish("a", mounted(modeSingle, "sync")), codes.AlreadyExists)
			node.done(node.volumes.Unpublish(t.Context(), node.id, node.target("a")))
			node.done(os.Mkdir(node.target("a"), 0o750))
			node.done(node.volumes.Unstage(t.Context(), node.id, node.staging))
		})
	}
}

// TestNodeForgetsPathsThatAreGone checks that a plugin drops the records of a target that was removed with the pod's
// directory while no plugin was running.
func TestNodeForgetsPathsThatAreGone(t *testing.T) {
	node := newTestNode(t)
	node.done(node.stage(mounted(modeMulti)))
	node.done(node.publish("a", mounted(modeMulti)))
	node.done(node.publish("b", mounted(modeMulti)))
	node.done(os.Remove(node.target("a")))
	node.restart()
	if left := node.usages.All(); len(left) != 2 {
		t.Errorf("it remembers %+v, want the staging path and target b", left)
	}
	node.done(node.unpublish("b"))
	node.done(node.unstage())
	node.wantNothingKept()

	// If the record cannot be removed, the plugin starts nevertheless.
	node.done(node.stage(mounted(modeMulti)))
	node.done(node.publish("a", mounted(modeMulti)))
	node.done(os.Remove(node.target("a")))
	node.start(NodeConfig{Watch: func(string, bool) error { return errEnded }})
	if left := node.usages.All(); len(left) != 2 {
		t.Errorf("it remembers %+v, want both", left)
	}
}

// TestNodeKeepsWhatItCannotLookFor checks that a plugin keeps the record of a target whose path cannot be looked up when
// it starts.
func TestNodeKeepsWhatItCannotLookFor(t *testing.T) {
	node := newTestNode(t)
	node.done(node.stage(mounted(modeSingle)))
	node.done(node.publish("a", mounted(modeSingle)))
	aside := node.targets + ".aside"
	node.done(os.Rename(node.targets, aside))
	node.done(os.Symlink(node.targets, node.targets))
	node.restart()
	node.done(os.Remove(node.targets))
	node.done(os.Rename(aside, node.targets))
	wantCode(t, node.publish("b", mounted(modeSingle)), codes.FailedPrecondition)
}

// TestNodeStartsWithDamagedState checks that a plugin whose state files are damaged logs that, relies on the mounts, and
// records later requests again.
func TestNodeStartsWithDamagedState(t *testing.T) {
	node := newTestNode(t)
	node.done(node.stage(mounted(modeSingle)))
	node.done(node.publish("a", mounted(modeSingle)))
	files, err := os.ReadDir(node.state)
	if err != nil || len(files) != 2 {
		t.Fatalf("the state has the files %v (%v), want 2", files, err)
	}
	for _, file := range files {
		node.done(os.Truncate(filepath.Join(node.state, file.Name()), 20))
	}
	var said strings.Builder
	logger := funcr.New(func(_, args string) { said.WriteString(args) }, funcr.Options{})
	if node.Node, err = NewNode(logr.NewContext(t.Context(), logger), NodeConfig{NodeID: "n", Volumes: node.volumes, StateDir: node.state}); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.Contains(said.String(), file.Name()) {
			t.Errorf("the log says %q, and should name %s", said.String(), file.Name())
		}
	}
	wantCode(t, node.publish("a", mounted(modeReader)), codes.AlreadyExists)
	wantCode(t, node.stage(mounted(modeSingle)), codes.OK)
	wantCode(t, node.publish("a", mounted(modeSingle)), codes.OK)
	wantCode(t, node.publish("b", mounted(modeSingle)), codes.FailedPrecondition)
	node.restart()
	wantCode(t, node.publish("b", mounted(modeSingle)), codes.FailedPrecondition)
	node.done(node.unpublish("a"))
	node.done(node.unstage())
	node.wantNothingKept()
}
