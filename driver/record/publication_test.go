// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/csi-topo/csi-topo/driver/record"
)

func TestPublish(t *testing.T) {
	store := open(t, filepath.Join(t.TempDir(), "records.db"))
	on := func(volume, node string) record.Publication {
		return record.Publication{VolumeID: volume, NodeID: node, AccessMode: "SINGLE_NODE_WRITER"}
	}
	must(t, store.Publish(on("a", "n1"), 2))
	must(t, store.Publish(on("b", "n1"), 2))
	if err := store.Publish(on("c", "n1"), 2); !errors.Is(err, record.ErrNodeFull) {
		t.Errorf("a third volume on a node with a limit of 2: got %v, want ErrNodeFull", err)
	}
	if err := store.Publish(on("b", "n1"), 2); err != nil {
		t.Errorf("a volume that the node has already: %v", err)
	}
	if err := store.Publish(on("c", "n10"), 2); err != nil {
		t.Errorf("another node, of whose name the full one's is a prefix: %v", err)
	}
	must(t, store.Unpublish("a", "n1"))
	must(t, store.Unpublish("a", "n1"))
	if err := store.Publish(on("c", "n1"), 2); err != nil {
		t.Errorf("a node with a place again: %v", err)
	}
	if got, err := store.Publications("a"); err != nil || len(got) != 0 {
		t.Errorf("an unpublished volume is on %v, %v", got, err)
	}
	if got, err := store.Publications("c"); err != nil || len(got) != 2 {
		t.Errorf("got %v and %v, want two publications", got, err)
	}
}

func TestPublicationEqual(t *testing.T) {
	given := record.Publication{VolumeID: "a", NodeID: "n", AccessMode: "m", FSType: "xfs", MountFlags: []string{"ro"}}
	for _, test := range []struct {
		name   string
		change func(*record.Publication)
		want   bool
	}{
		{"the same", func(*record.Publication) {}, true},
		{"another volume", func(p *record.Publication) { p.VolumeID = "b" }, false},
		{"another node", func(p *record.Publication) { p.NodeID = "o" }, false},
		{"another access mode", func(p *record.Publication) { p.AccessMode = "" }, false},
		{"as a block device", func(p *record.Publication) { p.Block = true }, false},
		{"read-only", func(p *record.Publication) { p.ReadOnly = true }, false},
		{"another file system", func(p *record.Publication) { p.FSType = "ext4" }, false},
		{"other mount flags", func(p *record.Publication) { p.MountFlags = nil }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			other := given
			test.change(&other)
			if got := given.Equal(other); got != test.want {
				t.Errorf("%+v equals %+v: got %t, want %t", given, other, got, test.want)
			}
		})
	}
}

func TestConcurrentPublicationsKeepTheLimit(t *testing.T) {
	const count, limit = 50, 7
	store := open(t, filepath.Join(t.TempDir(), "records.db"))
	var admitted atomic.Int64
	var wait sync.WaitGroup
	for i := range count {
		wait.Go(func() {
			err := store.Publish(record.Publication{VolumeID: fmt.Sprintf("%02d", i), NodeID: "n"}, limit)
			if err == nil {
				admitted.Add(1)
			} else if !errors.Is(err, record.ErrNodeFull) {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if admitted.Load() != limit {
		t.Errorf("%d volumes were admitted, want %d", admitted.Load(), limit)
	}
}
