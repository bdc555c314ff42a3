// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/journal"
	"github.com/csi-topo/csi-topo/e2e/spec/harness/wire"
)

// TestCleanAfterSIGKILL kills runs at several moments, and checks that the command removes only what they left.
func TestCleanAfterSIGKILL(t *testing.T) {
	for _, c := range []struct {
		name  string
		focus string
		ended int  // cases
		slow  bool // calls are slow, so that one is in flight
	}{
		{"among cases on nodes", "^(publish|stage|attach|stats|node_grow)_", 3, false},
		{"among all cases", "", 120, false},
		{"among cases on group snapshots", "^group_snapshot_", 3, true},
		{"in csi-sanity", "^sanity_", 20, true},
		{"in the generated sequence", "^generated_sequence$", 0, false},
		{"in the generated sequence of a slow driver", "^generated_sequence$", 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newKilled(t)
			theirs := k.create(t, "pvc-of-somebody-else")
			run := k.launch(t, c.focus, c.slow)
			run.await(t, "so many cases have ended", func() bool {
				return len(endedCase.FindAllString(run.out.String(), -1)) >= c.ended && len(k.driver.Volumes.IDs()) > 1 && k.stoppedWithVolumes(t, run)
			})
			if err := syscall.Kill(-childOf(t, run), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			run.exit(t, stopWithin)
			left := k.driver.Volumes.IDs()
			t.Logf("killed with %d volumes, %d snapshots", len(left), len(k.driver.Volumes.SnapshotIDs()))
			if len(left) < 2 && !c.slow { // a deletion that was in flight may take effect after the kill
				t.Error("want volumes left")
			}

			dry := k.clean(t, "--dry-run")
			if !strings.Contains(dry, "volume ") {
				t.Errorf("want a volume that the run left, or may have left:\n%s", dry)
			}
			if got := k.driver.Volumes.IDs(); len(got) != len(left) {
				t.Errorf("a dry run removed something: %v of %v are left", got, left)
			}
			for _, id := range left {
				switch named := strings.Contains(dry, id); {
				case id == theirs && named:
					t.Errorf("%s of somebody else is to be removed:\n%s", id, dry)
				case id != theirs && !named && !strings.Contains(dry, "volume named "): // its answer never came
					t.Errorf("%s is left and not named:\n%s", id, dry)
				}
			}

			k.clean(t)
			if got := k.driver.Volumes.SnapshotIDs(); len(got) > 0 {
				t.Errorf("the snapshots %v are left", got)
			}
			if got := k.driver.Volumes.IDs(); len(got) != 1 || got[0] != theirs {
				t.Errorf("%v are left, want %s of somebody else", got, theirs)
			}
			k.leavesNoFile(t)
		})
	}
}

// killed is a driver that outlives a run.
type killed struct {
	driver                  *embeddedDriver
	reports, temp, profiled string
}

func newKilled(t *testing.T) *killed {
	t.Helper()
	dir, remove, err := directoryInMemory()
	if err != nil {
		t.Fatal(err)
	}
	driver, err := embed(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := driver.Stop(); err != nil {
			t.Error(err)
		}
		if err := remove(); err != nil {
			t.Error(err)
		}
	})
	temp := filepath.Join(dir, "tmp") // volumes in memory are links, which lead to no other file system
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	return &killed{driver: driver, reports: t.TempDir(), temp: temp, profiled: watchedLess(t, dir)}
}

// create creates a volume that belongs to no run.
func (k *killed) create(t *testing.T, name string) string {
	t.Helper()
	conn, err := wire.Dial(k.driver.Controller)
	if err != nil {
		t.Fatal(err)
	}
	const patience = time.Minute
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := wire.WaitUntilReady(ctx, conn); err != nil {
		t.Fatal(err)
	}
	made, err := csi.NewControllerClient(conn).CreateVolume(ctx, &csi.CreateVolumeRequest{Name: name, VolumeCapabilities: []*csi.VolumeCapability{{
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{}},
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_WRITER},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return made.GetVolume().GetVolumeId()
}

func (k *killed) endpoints(controller string) []string {
	args := []string{"--profile", k.profiled, "--endpoint", controller}
	for _, node := range k.driver.Nodes {
		args = append(args, "--node-endpoint", node.Endpoint)
	}
	return args
}

func (k *killed) launch(t *testing.T, focus string, slow bool) *started {
	t.Helper()
	controller := k.driver.Controller
	if slow {
		controller = proxied(t, k.temp, strings.TrimPrefix(controller, "unix://"), delays(t), io.Discard)
	}
	args := append([]string{"spec", "--verbose", "--steps", "100000", "--report-dir", k.reports}, k.endpoints(controller)...)
	if focus != "" {
		args = append(args, "--focus", focus)
	}
	t.Setenv("TMPDIR", k.temp)
	return launch(t, args...)
}

// stoppedWithVolumes stops the run, and continues it if it no longer has a volume. A deletion that was in flight may still
// take effect in the driver, but the run does not see the answer.
func (k *killed) stoppedWithVolumes(t *testing.T, run *started) bool {
	t.Helper()
	child := childOf(t, run)
	if err := syscall.Kill(-child, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	run.await(t, "the run is stopped", func() bool {
		stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(child), "stat"))
		return err == nil && strings.Contains(string(stat), ") T ")
	})
	if len(k.driver.Volumes.IDs()) > 1 {
		return true
	}
	if err := syscall.Kill(-child, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	return false
}

// childOf returns the process group of the run itself, a child of the process that was started.
func childOf(t *testing.T, run *started) int {
	t.Helper()
	threads, err := filepath.Glob(filepath.Join("/proc", strconv.Itoa(run.Process.Pid), "task", "*", "children"))
	if err != nil {
		t.Fatal(err)
	}
	for _, thread := range threads {
		data, err := os.ReadFile(thread)
		if err != nil {
			continue // it has ended
		}
		if children := strings.Fields(string(data)); len(children) > 0 {
			pid, err := strconv.Atoi(children[0])
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
	}
	t.Fatal("the run has no process of its own")
	return 0
}

func (k *killed) clean(t *testing.T, flags ...string) string {
	t.Helper()
	cleaning := launch(t, append(append([]string{"clean", "--report-dir", k.reports}, k.endpoints(k.driver.Controller)...), flags...)...)
	if got := cleaning.exit(t, stopWithin); got != 0 {
		t.Errorf("exit status %d", got)
	}
	return cleaning.out.String()
}

// leavesNoFile expects no journal, and nothing on a node.
func (k *killed) leavesNoFile(t *testing.T) {
	t.Helper()
	if left, err := filepath.Glob(filepath.Join(k.reports, journal.Pattern)); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	_ = filepath.WalkDir(k.temp, func(path string, _ fs.DirEntry, _ error) error {
		if path != k.temp && filepath.Ext(path) != ".sock" {
			t.Errorf("%s is left", path)
		}
		return nil
	})
}
