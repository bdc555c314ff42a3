// SPDX-License-Identifier: Apache-2.0

package profile

import (
	"slices"
	"strings"
	"testing"
)

// clustered is valid, and ends in the cluster section.
const clustered = `driver: csi.example.com
volumeBytes: 1048576
cluster:
  topology: {zone: topology.example.com/zone}
`

func TestCluster(t *testing.T) {
	p, err := Parse("p.yaml", []byte(clustered+`  install: {command: [./deploy.sh, --all]}
  images:
  - archive: images.tar
  - {name: example-driver, program: ../cmd/driver, ldflags: -X main.version=v1.0.0}
  ready:
  - {kind: StatefulSet, namespace: example, name: controller}
  fileSystemBytes: 2097152
  node: {namespace: example, selector: "app in (driver)", volume: socket-dir, path: a/csi.sock}
  disturb: [driver]
`))
	if err != nil {
		t.Fatal(err)
	}
	c := p.Cluster
	if !c.Install.Installs() || len(c.Images) != 2 || c.Ready[0].Name != "controller" || c.Controller != nil || c.Node.Path != "a/csi.sock" || p.FileSystem() != 2<<20 {
		t.Errorf("got %+v", c)
	}
}

func TestClusterWithoutWhatMayBeLeftOut(t *testing.T) {
	p, err := Parse("p.yaml", []byte(clustered))
	if err != nil {
		t.Fatal(err)
	}
	if p.Cluster.Install.Installs() || p.FileSystem() != 1<<20 {
		t.Errorf("got %+v, a file system of %d bytes", p.Cluster, p.FileSystem())
	}
}

func TestMay(t *testing.T) {
	for _, c := range []struct {
		name  string
		given string
		own   bool
		want  []Disturbance
	}{
		{"nothing said, on a cluster of the run's own", "", true, []Disturbance{Nodes, DriverPods, AllCapacity}},
		{"nothing said, on a cluster of others", "", false, nil},
		{"nothing allowed, on a cluster of the run's own", "  disturb: []\n", true, nil},
		{"one allowed, on a cluster of others", "  disturb: [capacity]\n", false, []Disturbance{AllCapacity}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Parse("p.yaml", []byte(clustered+c.given))
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Cluster.May(c.own); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestClusterSaysWhereItIsWrong(t *testing.T) {
	const socket = "{namespace: a, selector: b=c, volume: d, path: e}"
	for _, c := range []struct{ name, given, want string }{
		{"a field that does not exist", "  tolopogy: {}\n", `p.yaml:5:3: unknown field "tolopogy"`},
		{"two ways to install", "  install: {kustomization: a, manifests: b}\n", "p.yaml:5:12: install has kustomization and manifests: want one of them"},
		{"three ways to install", "  install: {kustomization: a, manifests: b, command: [c]}\n", "install has kustomization and manifests and command"},
		{"only what is taken without a registry", "  install: {withoutRegistry: a}\n", "p.yaml:5:30: withoutRegistry is set without kustomization"},
		{"an empty command", "  install: {command: ['']}\n", "p.yaml:5:23: the command is empty"},
		{"an image of nothing", "  images: [{name: a}]\n", "p.yaml:5:12: the image needs either archive"},
		{"an image of two things", "  images: [{archive: a, program: b, name: c}]\n", "the image needs either archive"},
		{"flags for no program", "  images: [{archive: a, ldflags: -s}]\n", "the image has ldflags without program"},
		{"a program without a name", "  images: [{program: a}]\n", "the image has only one of program and name"},
		{"an archive with a name", "  images: [{archive: a, name: b}]\n", "the image has only one of program and name"},
		{"a workload of another kind", "  ready: [{kind: Pod, namespace: a, name: b}]\n", `p.yaml:5:18: kind is "Pod": want Deployment, StatefulSet, DaemonSet`},
		{"a workload without a namespace", "  ready: [{kind: Deployment, name: b}]\n", "namespace is missing"},
		{"a workload without a name", "  ready: [{kind: Deployment, namespace: b}]\n", "name is missing"},
		{"file systems smaller than volumes", "  fileSystemBytes: 1024\n", "p.yaml:5:20: fileSystemBytes is 1024"},
		{"file systems of less than nothing", "  fileSystemBytes: -1\n", "p.yaml:5:20: fileSystemBytes is -1"},
		{"a socket without a namespace", "  node: {selector: b=c, volume: d, path: e}\n", "p.yaml:5:9: namespace is missing"},
		{"a socket without a selector", "  node: {namespace: a, volume: d, path: e}\n", "selector is missing"},
		{"a socket without a volume", "  controller: {namespace: a, selector: b=c, path: e}\n", "volume is missing"},
		{"a socket without a path", "  controller: {namespace: a, selector: b=c, volume: d}\n", "path is missing"},
		{"a selector that is none", "  node: " + strings.Replace(socket, "b=c", "'b=c=d'", 1) + "\n", `p.yaml:5:34: selector is "b=c=d", which is not a label selector`},
		{"a socket elsewhere", "  node: " + strings.Replace(socket, "path: e", "path: /csi/csi.sock", 1) + "\n", `path is "/csi/csi.sock": want the socket's path inside the volume`},
		{"a socket outside of its volume", "  node: " + strings.Replace(socket, "path: e", "path: ../csi.sock", 1) + "\n", `path is "../csi.sock"`},
		{"pools whose room nobody counts", "  pools: [{pool: a}]\n", "p.yaml:5:10: pools are set without capacity: exact"},
		{"one node for many", "  readWriteMany: {accessMode: SINGLE_NODE_WRITER}\n", "accessMode is SINGLE_NODE_WRITER: want MULTI_NODE_MULTI_WRITER, or nothing"},
		{"a pool of nothing", "  pools: [{}]\n", "p.yaml:5:11: the pool is empty"},
		{"a pool twice", "  pools: [{pool: a}, {pool: b}, {pool: a}]\n", "p.yaml:5:33: the pool is listed twice"},
		{"disturbing what does not exist", "  disturb: [driver, scheduler]\n", `p.yaml:5:21: "scheduler" is not something that a run may disturb: want nodes, driver or capacity`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Parse("p.yaml", []byte(clustered+c.given)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Parse = %v, want an error with %q", err, c.want)
			}
		})
	}
	for _, c := range []struct{ name, given, want string }{
		{"no topology", "{}", "p.yaml:3:10: topology has no zone"},
		{"a region alone", "{topology: {region: a}}", "topology has no zone"},
		{"a zone that is no label key", "{topology: {zone: a/b/c}}", `zone is "a/b/c", which is not a label key`},
		{"a region that is no label key", "{topology: {zone: a, region: 'b c'}}", `region is "b c", which is not a label key`},
		{"one key for both", "{topology: {zone: a, region: a}}", `region and zone are both "a"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := "driver: csi.example.com\nvolumeBytes: 1048576\ncluster: " + c.given + "\n"
			if _, err := Parse("p.yaml", []byte(given)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Parse = %v, want an error with %q", err, c.want)
			}
		})
	}
}

func TestReadWriteMany(t *testing.T) {
	const own = "  readWriteMany: {accessibleFrom: 2, parameters: {kind: shared}}\n"
	const volumes = "volumes:\n- {accessibleFrom: 1}\n- {accessibleFrom: everywhere, accessMode: MULTI_NODE_MULTI_WRITER}\n"
	for _, test := range []struct {
		name, given string
		want        AccessibleFrom
		ok          bool
	}{
		{"none", clustered, 0, false},
		{"a kind of its own", clustered + own, 2, true},
		{"one of the volumes", clustered + volumes, Everywhere, true},
		{"its own before one of the volumes", clustered + own + volumes, 2, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := Parse("p.yaml", []byte(test.given))
			if err != nil {
				t.Fatal(err)
			}
			if kind, ok := p.ReadWriteMany(); kind.AccessibleFrom != test.want || ok != test.ok {
				t.Errorf("got %+v, %t; want %s, %t", kind, ok, test.want, test.ok)
			}
		})
	}
}
