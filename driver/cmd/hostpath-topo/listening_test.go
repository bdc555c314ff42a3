// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/container-storage-interface/spec/lib/go/csi"
)

// ports returns the TCP ports that the process listens on, as the kernel reports them: /proc/<pid>/net has all sockets of
// its network namespace, and /proc/<pid>/fd shows which ones the process has open.
func ports(t *testing.T, pid int) []int {
	t.Helper()
	descriptors, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil || len(descriptors) == 0 {
		t.Fatalf("process %d has no open files: %v", pid, err)
	}
	own := map[string]bool{}
	for _, descriptor := range descriptors {
		if target, err := os.Readlink(descriptor); err == nil {
			own[target] = true
		}
	}
	const listening = "0A"
	var found []int
	for _, table := range []string{"tcp", "tcp6"} {
		content, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		if os.IsNotExist(err) {
			continue // a kernel without IPv6
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(content), "\n")[1:] {
			fields := strings.Fields(line)
			if len(fields) < 10 || fields[3] != listening || !own["socket:["+fields[9]+"]"] {
				continue
			}
			_, hex, _ := strings.Cut(fields[1], ":")
			port, err := strconv.ParseInt(hex, 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, int(port))
		}
	}
	return found
}

func TestNoTCPPortByDefault(t *testing.T) {
	dataDir := t.TempDir()
	for name, plugin := range map[string]program{
		"controller":        startController(t, dataDir),
		"node":              startNode(t, dataDir),
		"node-local plugin": start(t, "local", "--node-name=n", "--data-dir="+t.TempDir(), "--state-dir="+t.TempDir()),
	} {
		if found := ports(t, plugin.pid); len(found) > 0 {
			t.Errorf("the %s listens on the ports %v", name, found)
		}
	}
}

func TestHTTP(t *testing.T) {
	controller := startController(t, t.TempDir(), "--http-address=127.0.0.1:0")
	found := ports(t, controller.pid)
	if len(found) != 1 {
		t.Fatalf("it listens on the ports %v, want one", found)
	}
	_, err := csi.NewControllerClient(controller).CreateVolume(t.Context(), &csi.CreateVolumeRequest{
		Name:               "v",
		Parameters:         map[string]string{"kind": "dir"},
		CapacityRange:      &csi.CapacityRange{RequiredBytes: 1 << 30},
		VolumeCapabilities: []*csi.VolumeCapability{mounted()},
	})
	if err != nil {
		t.Fatal(err)
	}
	const in = `{class="",segment="topology.hostpath.topo.csi/region=R1,topology.hostpath.topo.csi/zone=Z2"} `
	for path, wanted := range map[string][]string{
		"/healthz": {"ok"},
		"/metrics": {
			`csi_plugin_operations_seconds_count{driver_name="hostpath.topo.csi",grpc_status_code="OK",method_name="/csi.v1.Controller/CreateVolume"} 1`,
			"hostpath_topo_pool_capacity_bytes" + in + "1.073741824e+10",
			"hostpath_topo_pool_available_bytes" + in + "9.663676416e+09",
			"hostpath_topo_volumes 1",
			"hostpath_topo_snapshots 0",
		},
	} {
		text := get(t, found[0], path)
		for _, want := range wanted {
			if !strings.Contains(text, want+"\n") {
				t.Errorf("%s does not have %s:\n%s", path, want, text)
			}
		}
	}
}

func get(t *testing.T, port int, path string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d%s", port, path), nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s answers %s (%v): %s", path, response.Status, err, text)
	}
	return string(text)
}

// mounted returns the capability to mount for one writer, with the flags.
func mounted(flags ...string) *csi.VolumeCapability {
	return &csi.VolumeCapability{
		AccessMode: &csi.VolumeCapability_AccessMode{Mode: csi.VolumeCapability_AccessMode_SINGLE_NODE_SINGLE_WRITER},
		AccessType: &csi.VolumeCapability_Mount{Mount: &csi.VolumeCapability_MountVolume{MountFlags: flags}},
	}
}
