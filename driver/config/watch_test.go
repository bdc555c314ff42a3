// SPDX-License-Identifier: Apache-2.0

package config_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"golang.org/x/sync/errgroup"

	"github.com/csi-topo/csi-topo/driver/config"
	"github.com/csi-topo/csi-topo/driver/pool"
)

const within = 10 * time.Second

// watching is a watch under test.
type watching struct {
	t       *testing.T
	applied chan config.Configuration
	logged  chan string
	refused atomic.Int32 // refusals in the log
}

// watch watches until the test ends.
func watch(t *testing.T, path string, inForce config.Configuration) *watching {
	t.Helper()
	w := &watching{t: t, applied: make(chan config.Configuration, 10), logged: make(chan string, 100)}
	ctx, stop := context.WithCancel(logr.NewContext(t.Context(), funcr.New(func(_, line string) {
		if strings.Contains(line, "the configuration in force stays") {
			w.refused.Add(1)
		}
		w.logged <- line
	}, funcr.Options{})))
	group := errgroup.Group{}
	group.Go(func() error {
		return config.Watch(ctx, path, inForce, func(c config.Configuration) { w.applied <- c })
	})
	t.Cleanup(func() {
		stop()
		if err := group.Wait(); err != nil {
			t.Errorf("watching ended with %v", err)
		}
	})
	return w
}

// mustApply waits until a configuration is applied. It must be the next one, with the
// given capacity in bytes.
func (w *watching) mustApply(bytes int64) {
	w.t.Helper()
	select {
	case c := <-w.applied:
		if got := c.Capacity.Of("", nil); got != bytes {
			w.t.Fatalf("a configuration of %d bytes is applied, want %d", got, bytes)
		}
	case <-time.After(within):
		w.t.Fatalf("the configuration of %d bytes was not applied within %s", bytes, within)
	}
}

// mustLog waits until a line of the log has the text.
func (w *watching) mustLog(text string) {
	w.t.Helper()
	deadline := time.After(within)
	for {
		select {
		case line := <-w.logged:
			if strings.Contains(line, text) {
				return
			}
		case <-deadline:
			w.t.Fatalf("nothing was logged of %q within %s", text, within)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// replace renames a new file with the content to the path.
func replace(t *testing.T, path, content string) {
	t.Helper()
	must(t, os.WriteFile(path+".new", []byte(content), 0o600))
	must(t, os.Rename(path+".new", path))
}

func TestWatchAppliesWhatReplacesTheFile(t *testing.T) {
	path := write(t, head+"pools: [{capacity: 1}]")
	w := watch(t, path, config.Configuration{Capacity: pool.Uniform(1)})
	replace(t, path, head+"pools: [{capacity: 2}]")
	w.mustApply(2)
	replace(t, path, head+"pools: [{capacity: 3}]")
	w.mustApply(3)
}

func TestWatchAppliesWhatIsWrittenIntoTheFile(t *testing.T) {
	path := write(t, head+"pools: [{capacity: 1}]")
	w := watch(t, path, config.Configuration{Capacity: pool.Uniform(1)})
	must(t, os.WriteFile(path, []byte(head+"pools: [{capacity: 2}]"), 0o600))
	w.mustApply(2)
}

func TestWatchAppliesWhatChangedBeforeIt(t *testing.T) {
	w := watch(t, write(t, head+"pools: [{capacity: 2}]"), config.Configuration{Capacity: pool.Uniform(1)})
	w.mustApply(2)
}

func TestWatchAppliesNothingWhereOnlyTheTextChanges(t *testing.T) {
	path := write(t, head+"pools: [{capacity: 1}]")
	w := watch(t, path, config.Configuration{Capacity: pool.Uniform(1)})
	replace(t, path, head+"# the same in other words\npools:\n- capacity: 1\n")
	replace(t, path, head+"pools: [{capacity: 2}]")
	w.mustApply(2)
}

// TestWatchFollowsAConfigMap checks that changes by the kubelet are seen: the file is a link through ..data, and only
// ..data changes in its directory.
func TestWatchFollowsAConfigMap(t *testing.T) {
	directory := t.TempDir()
	path := filepath.Join(directory, "config.yaml")
	project := func(version, content string) {
		t.Helper()
		must(t, os.Mkdir(filepath.Join(directory, version), 0o755))
		must(t, os.WriteFile(filepath.Join(directory, version, "config.yaml"), []byte(content), 0o600))
		must(t, os.Symlink(version, filepath.Join(directory, "..data_tmp")))
		must(t, os.Rename(filepath.Join(directory, "..data_tmp"), filepath.Join(directory, "..data")))
	}
	project("..2026_1", head+"pools: [{capacity: 1}]")
	must(t, os.Symlink("..data/config.yaml", path))

	w := watch(t, path, config.Configuration{Capacity: pool.Uniform(1)})
	project("..2026_2", head+"pools: [{capacity: 2}]")
	must(t, os.RemoveAll(filepath.Join(directory, "..2026_1")))
	w.mustApply(2)
	project("..2026_3", head+"pools: [{capacity: 3}]")
	w.mustApply(3)
}

func TestWatchKeepsWhatIsInForce(t *testing.T) {
	for _, test := range []struct {
		name string
		make func(t *testing.T, path string)
		want string // in the log
	}{
		{"an invalid file", func(t *testing.T, path string) { replace(t, path, head+"pools: [{capacity: much}]") }, `pools[0].capacity: Invalid value`},
		{"no file", func(t *testing.T, path string) { must(t, os.Remove(path)) }, "no such file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := write(t, head+"pools: [{capacity: 1}]")
			w := watch(t, path, config.Configuration{Capacity: pool.Uniform(1)})
			test.make(t, path)
			w.mustLog(test.want)
			// Another file changes in the directory, and the file is read again.
			must(t, os.WriteFile(filepath.Join(filepath.Dir(path), "other"), nil, 0o600))
			replace(t, path, head+"pools: [{capacity: 2}]")
			w.mustApply(2)
			if got := w.refused.Load(); got != 1 {
				t.Errorf("it was logged %d times, want once", got)
			}
			// An error that comes back is logged again.
			test.make(t, path)
			w.mustLog(test.want)
		})
	}
}

func TestWatchOfNoDirectory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "config.yaml")
	err := config.Watch(t.Context(), path, config.Default(), func(config.Configuration) { t.Error("applied") })
	if err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v, want an error that names %s", err, path)
	}
}
