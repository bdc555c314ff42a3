// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/csi-topo/csi-topo/clusters/layout"
)

func wanted(t *testing.T, l *layout.Layout, kubernetes, dir string) *Cluster {
	t.Helper()
	return New(Options{Name: "n", Layout: l, Kubernetes: kubernetes, Dir: dir, Log: io.Discard})
}

func TestARunningClusterFitsOnlyItsOwnLayoutAndVersion(t *testing.T) {
	small := filepath.Join(t.TempDir(), "zones.yaml")
	if err := os.WriteFile(small, []byte("apiVersion: csi-topo/v1alpha1\nkind: ClusterLayout\nregions: [{name: R1, zones: [{name: Z1, nodes: 1}]}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	other, err := layout.Load(small)
	if err != nil {
		t.Fatal(err)
	}
	running, err := wanted(t, zones(t), "1.36", "").Wanted()
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name  string
		given *Cluster
		fits  bool
	}{
		{"the same", wanted(t, zones(t), "1.36", ""), true},
		{"another version", wanted(t, zones(t), "1.35", ""), false},
		{"another layout of the same name", wanted(t, other, "1.36", ""), false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := c.given.Fits(&running)
			if (err == nil) != c.fits {
				t.Errorf("want fits=%v, got %v", c.fits, err)
			}
			if err != nil && !strings.Contains(err.Error(), "make cluster-down NAME=n") {
				t.Errorf("want what to do about it, got %v", err)
			}
		})
	}
}

func TestOnlyAKeptClusterSaysSo(t *testing.T) {
	c := wanted(t, zones(t), "1.36", t.TempDir())
	for _, kept := range []bool{false, true} {
		keep := c.prepareDir
		if kept {
			keep = c.Keep
		}
		if err := keep(); err != nil {
			t.Fatal(err)
		}
		state, err := readState(c.options.Dir)
		if err != nil || state == nil || state.Kept != kept {
			t.Errorf("want kept=%v, got %+v, %v", kept, state, err)
		}
	}
}

func TestStateIsReadAsItWasWritten(t *testing.T) {
	dir := t.TempDir()
	if state, err := readState(dir); state != nil || err != nil {
		t.Errorf("want no state in an empty directory, got %v, %v", state, err)
	}
	want := State{Layout: "zones", Kubernetes: "1.36", Image: "i", Built: true, Shape: "regions: []\n", Kept: true}
	if err := writeState(dir, want); err != nil {
		t.Fatal(err)
	}
	if got, err := readState(dir); err != nil || *got != want {
		t.Errorf("want %+v, got %+v, %v", want, got, err)
	}
}
