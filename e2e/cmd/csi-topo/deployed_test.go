// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/csi-topo/csi-topo/e2e/report"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/internal/privileged"
)

// TestTheReferenceDriverAsItIsDeployed checks the reference driver's real processes, on real file systems: a controller,
// and a node plugin in each of four zones, with volumes of both kinds.
func TestTheReferenceDriverAsItIsDeployed(t *testing.T) {
	t.Parallel()
	privileged.NeedDisks(t)
	driver := filepath.Join(t.TempDir(), "hostpath-topo")
	output(t, "../../..", nil, "go", "build", "-o", driver, "./driver/cmd/hostpath-topo")
	for kind, warned := range map[string]string{
		"image": "",
		"dir":   "generated_sequence", // a directory is copied file by file, and never while it is published
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			profile := deploy(t, driver, kind)

			ended := program(t, "", "spec", "--profile", profile, "--seed", "1")

			if ended.exit != report.ExitPassed {
				t.Errorf("exit status: want 0, got %d:\n%s%s", ended.exit, ended.out, ended.errOut)
			}
			result := ended.report(t)
			for _, c := range result.Cases {
				if c.ID == "restart_without_mounts" && c.Verdict != suite.Passed { // only volumes with mounts can pass it
					t.Errorf("case %s: %s %s", c.ID, c.Verdict, c.Reason)
				}
				if c.Verdict == suite.Failed || c.Verdict == suite.Errored || c.Verdict == suite.Warned && c.ID != warned {
					t.Errorf("case %s: %s %s\n%s", c.ID, c.Verdict, c.Reason, c.Message)
				}
			}
			t.Logf("%+v", result.Summary)
			ended.leftNothingBehind(t)
		})
	}
}

// zones returns the zones of the driver's nodes.
func zones() []string { return []string{"Z2", "Z3", "Z4", "Z5"} }

// deploy starts the driver's processes, with volumes of the kind, and returns the profile that names them. When the test
// ends, they are stopped and their mounts are unmounted.
func deploy(t *testing.T, driver, kind string) (profile string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "deployed") // a short path, for sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // no RemoveAll: the test must not remove files in remaining mounts
		if out, err := exec.Command("rm", "--recursive", "--one-file-system", dir).CombinedOutput(); err != nil { //nolint:noctx // the test's context has ended
			t.Errorf("removing the driver's directory: %v\n%s", err, out)
		}
	})
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		const forOwner = 0o700
		if err := os.WriteFile(file, []byte(text), forOwner); err != nil {
			t.Fatal(err)
		}
		return file
	}
	kubeconfig := write("kubeconfig", fmt.Sprintf("apiVersion: v1\nkind: Config\ncurrent-context: c\n"+
		"contexts: [{name: c, context: {cluster: c}}]\nclusters: [{name: c, cluster: {server: %q}}]\n", apiServer(t)))
	pools := write("pools.yaml", "apiVersion: hostpath.topo.csi/v1alpha1\nkind: DriverConfiguration\npools: [{capacity: 8Gi}]\n")
	data := dataDir(t, dir)
	var starts strings.Builder
	start := func(name string, args ...string) string {
		socket := filepath.Join(dir, name+".sock")
		fmt.Fprintf(&starts, "start %s --endpoint=unix://%s --data-dir=%s --kubeconfig=%s --config=%s\n", strings.Join(args, " "), socket, data, kubeconfig, pools)
		return socket
	}
	controller := start("c", "controller")
	var nodes []string
	for _, zone := range zones() {
		nodes = append(nodes, fmt.Sprintf("%q", start(zone, "node", "--node-name="+zone, "--state-dir="+filepath.Join(dir, "state-"+zone))))
	}
	// This program restarts the driver: it kills all its processes, and starts them again.
	const restarting = `#!/bin/sh
end() { if [ -e %[1]s/pids ]; then kill -9 $(cat %[1]s/pids); while kill -0 $(cat %[1]s/pids) 2>/dev/null; do :; done; rm %[1]s/pids; fi }
start() { setsid %[2]s "$@" </dev/null >>%[1]s/log 2>&1 & echo $! >>%[1]s/pids; }
end
if [ "$1" = stop ]; then exit; fi
%[3]s`
	restart := write("restart.sh", fmt.Sprintf(restarting, dir, driver, starts.String()))
	output(t, dir, nil, restart)
	t.Cleanup(func() {
		if out, err := exec.Command(restart, "stop").CombinedOutput(); err != nil { //nolint:noctx // the test's context has ended
			t.Errorf("ending the driver: %v\n%s", err, out)
		}
	})
	for _, name := range append([]string{"c"}, zones()...) {
		mustListen(t, filepath.Join(dir, name+".sock"))
	}
	return write("profile.yaml", fmt.Sprintf(`driver: hostpath.topo.csi
endpoints: {controller: %q, nodes: [%s]}
restart: [%q]
volumeBytes: 335544320 # XFS refuses less than 300 MiB
grownBytes: 671088640
volumes:
- accessibleFrom: 1
  parameters: {kind: %[4]s}
- accessibleFrom: 2
  parameters: {kind: %[4]s, zones: "2"}
block: %t
capacity: exact
exclusive: true
`, controller, strings.Join(nodes, ", "), restart, kind, kind == "image"))
}

// dataDir mounts a file system in the directory that copies files atomically, as the driver's data directory should, and
// returns its path. It is unmounted when the test ends.
func dataDir(t *testing.T, dir string) string {
	t.Helper()
	data, disk := filepath.Join(dir, "data"), filepath.Join(dir, "disk.img")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	const size = "64G" // a sparse file: only written data takes space
	output(t, dir, nil, "truncate", "--size", size, disk)
	output(t, dir, nil, "mkfs.xfs", "-q", disk)
	output(t, dir, nil, "mount", "-o", "loop", disk, data)
	t.Cleanup(func() {
		if out, err := exec.Command("umount", data).CombinedOutput(); err != nil { //nolint:noctx // the test's context has ended
			t.Errorf("unmounting the driver's data: %v\n%s", err, out)
		}
	})
	return data
}

// apiServer serves the nodes of the zones, which are all that the driver requests from Kubernetes, and returns its URL.
func apiServer(t *testing.T) string {
	t.Helper()
	var list corev1.NodeList
	list.APIVersion, list.Kind, list.ResourceVersion = "v1", "NodeList", "1"
	for _, zone := range zones() {
		node := corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: zone, ResourceVersion: "1", Labels: map[string]string{
			corev1.LabelTopologyRegion: "R1", corev1.LabelTopologyZone: zone,
		}}}
		node.APIVersion, node.Kind = "v1", "Node"
		list.Items = append(list.Items, node)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch name := path.Base(r.URL.Path); {
		case r.URL.Query().Get("sendInitialEvents") != "":
			http.Error(w, `{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Invalid", "code": 422}`, http.StatusUnprocessableEntity)
		case r.URL.Query().Has("watch"):
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush() //nolint:forcetypeassert // the server of this package is one
			<-r.Context().Done()     // nodes neither come nor go
		case name == "nodes":
			_ = json.NewEncoder(w).Encode(list)
		default:
			for _, node := range list.Items {
				if node.Name == name {
					_ = json.NewEncoder(w).Encode(node)
				}
			}
		}
	}))
	t.Cleanup(server.CloseClientConnections)
	t.Cleanup(server.Close)
	return server.URL
}
