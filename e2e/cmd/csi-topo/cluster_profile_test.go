package main

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	for _, c := range []struct{ name, file, dir string }{
		{"from where the program runs", "test/driver.yaml", "/profiles"},
		{"in that directory", "driver.yaml", "/profiles/test"},
		{"absolute", "/profiles/test/driver.yaml", "/"},
	} {
		if diff := cmp.Diff(want, installation(given, directoryOf(c.file, c.dir))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// What the known profiles name is in the checkout, but for drivers that are built from one of their own.
func TestReferenceProfilesNameWhatIsThere(t *testing.T) {
	for _, name := range []string{profile.Reference, profile.ReferenceNodeLocal} {
		p := clusterProfile{name: name}
		if err := p.read("."); err != nil {
			t.Fatal(err)
		}
		p.driver = installation(p.profile, "../../../fixtures/profiles")
		if err := p.driver.Check(); err != nil || !p.driver.Installs() {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestParametersOf(t *testing.T) {
	given := profile.Profile{Volumes: []profile.Kind{{AccessibleFrom: 1}, {AccessibleFrom: 2, Parameters: map[string]string{"a": "b"}}, {AccessibleFrom: 3}}}
	for x, want := range map[int]map[string]string{1: {}, 2: {"a": "b"}, 3: {}, 4: nil} {
		if diff := cmp.Diff(want, parametersOf(given)(x)); diff != "" {
			t.Errorf("x = %d (-want +got):\n%s", x, diff)
		}
	}
}

// A case whose pool the driver does not have would meet RESOURCE_EXHAUSTED everywhere.
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
