// SPDX-License-Identifier: Apache-2.0

package main

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/csi-topo/csi-topo/clusters/environment"
	"github.com/csi-topo/csi-topo/clusters/install"
	"github.com/csi-topo/csi-topo/clusters/nodeimage"
	"github.com/csi-topo/csi-topo/driver/config"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

func TestPathsBeginAtTheProfile(t *testing.T) {
	given := profile.Profile{Driver: "csi.example.com", Cluster: &profile.Cluster{
		Install: profile.Install{Kustomization: "../deploy", WithoutRegistry: "/elsewhere"},
		Images:  []profile.Image{{Archive: "images.tar"}, {Name: "driver", Program: "cmd/driver", LDFlags: "-X main.version=v1"}},
		Ready:   []profile.Workload{{Kind: "DaemonSet", Namespace: "example", Name: "node"}},
	}}
	want := install.Driver{
		Name: "csi.example.com", Dir: "/profiles/test", Kustomization: "/profiles/deploy", WithoutRegistry: "/elsewhere",
		Archives: []string{"/profiles/test/images.tar"}, Programs: map[string]nodeimage.Program{"driver": {Dir: "/profiles/test/cmd/driver", LDFlags: "-X main.version=v1"}},
		Ready: []install.Workload{{Kind: "DaemonSet", Namespace: "example", Name: "node"}},
	}
	if diff := cmp.Diff(want, installation(given, "/profiles/test")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWhereAProfileIs runs in a checkout: the paths in known profiles are relative to the checkout, and the paths in a file
// are relative to the file.
func TestWhereAProfileIs(t *testing.T) {
	t.Chdir("../../../fixtures")
	for name, want := range map[string]string{
		profile.Reference:                       "fixtures/profiles",
		"profiles/hostpath-topo.yaml":           "fixtures/profiles",
		"../fixtures/driver/../profiles/a.yaml": "fixtures/profiles",
	} {
		p := clusterProfile{name: name, profile: profile.Profile{Cluster: &profile.Cluster{}}}
		got, err := p.install(t.Context(), environment.Options{Layout: "zones"})
		if err != nil {
			t.Fatal(err)
		}
		if want = filepath.Join(got.Source, want); got.Driver.Dir != want {
			t.Errorf("%s: want paths from %s, got %s", name, want, got.Driver.Dir)
		}
	}
}

// TestReferenceProfilesNameWhatIsThere checks that the files that the known profiles name exist in the checkout, except for
// drivers that are built from their own source.
func TestReferenceProfilesNameWhatIsThere(t *testing.T) {
	for _, name := range []string{profile.Reference, profile.ReferenceNodeLocal} {
		p := clusterProfile{name: name}
		if err := p.read(); err != nil {
			t.Fatal(err)
		}
		options, err := p.install(t.Context(), environment.Options{Layout: "zones"})
		if err != nil {
			t.Fatal(err)
		}
		if err := options.Driver.Check(); err != nil || !options.Driver.Installs() {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPoolsOfTheReferenceDriverExist checks that the driver has the pools: a case with any other pool would get
// RESOURCE_EXHAUSTED everywhere.
func TestPoolsOfTheReferenceDriverExist(t *testing.T) {
	for name, file := range map[string]string{
		"hostpath-topo":            "../../../fixtures/driver/central/controller/driver.yaml",
		"hostpath-topo-node-local": "../../../fixtures/driver/node-local/driver.yaml",
	} {
		p, err := profile.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		configured, err := config.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		classes := configured.Capacity.Classes()
		if len(p.Cluster.Pools) == 0 {
			t.Errorf("profile %s has no pools", name)
		}
		for _, pool := range p.Cluster.Pools {
			if !slices.Contains(classes, pool["class"]) {
				t.Errorf("profile %s has pool %v, the driver's configuration classes %q", name, pool, classes)
			}
		}
	}
}
