// SPDX-License-Identifier: Apache-2.0

package proxy

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// limit is the time limit of a test's waits.
const limit = 30 * time.Second

func TestProxy(t *testing.T) {
	dir := t.TempDir()
	socket := func(name string) string { return filepath.Join(dir, name+".sock") }
	listener, err := net.Listen("unix", socket("driver"))
	if err != nil {
		t.Fatal(err)
	}
	driver := grpc.NewServer()
	csi.RegisterControllerServer(driver, csi.UnimplementedControllerServer{})
	go func() { _ = driver.Serve(listener) }()
	defer driver.Stop()

	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	proxying, stop := context.WithCancel(ctx)
	defer stop()
	lines := filepath.Join(dir, "calls.jsonl")
	command := NewProxy()
	command.SetArgs([]string{
		"--listen", socket("proxy"), "--driver", socket("driver"), "--control", socket("control"),
		"--node", "node-a", "--endpoint", "controller", "--output", lines,
	})
	var ended sync.WaitGroup
	ended.Go(func() {
		if err := command.ExecuteContext(proxying); err != nil {
			t.Errorf("the proxy ended: %v", err)
		}
	})
	conn, err := grpc.NewClient("unix:"+socket("proxy"), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	controller := csi.NewControllerClient(conn)
	if _, err := controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: "v"}, grpc.WaitForReady(true)); status.Code(err) != codes.Unimplemented {
		t.Fatalf("through the proxy the driver answered %v", err)
	}
	client := trace.NewClient(func(ctx context.Context) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", socket("control"))
	})
	defer client.Close()
	if err := client.AddRule(ctx, trace.Rule{ID: "r", Method: "DeleteVolume", Code: "ABORTED"}); err != nil {
		t.Fatal(err)
	}
	if _, err := controller.DeleteVolume(ctx, &csi.DeleteVolumeRequest{VolumeId: "v"}); status.Code(err) != codes.Aborted {
		t.Errorf("got %v, wanted what the rule says", err)
	}
	stop()
	ended.Wait()
	data, err := os.ReadFile(lines)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var call trace.Call
		if err := json.Unmarshal(line, &call); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		found = append(found, call.Node+" "+call.Endpoint+" "+call.Code)
	}
	if got := strings.Join(found, ", "); got != "node-a controller UNIMPLEMENTED, node-a controller ABORTED" {
		t.Errorf("recorded %s", got)
	}
	for _, name := range []string{"proxy", "control"} {
		if _, err := os.Lstat(socket(name)); err == nil {
			t.Errorf("%s is left", socket(name))
		}
	}
}

func TestProxyRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"no socket":           {nil, `"listen" not set`},
		"a rule that is none": {[]string{"--listen", filepath.Join(dir, "p.sock"), "--rule", "{}"}, "--rule {}"},
		"a file to listen on": {[]string{"--listen", file, "--driver", "d.sock"}, file},
		"a file to control":   {[]string{"--listen", filepath.Join(dir, "p.sock"), "--driver", "d.sock", "--control", file}, file},
		"no patience":         {[]string{"--listen", filepath.Join(dir, "p.sock"), "--driver", "d.sock", "--wait", "-1s"}, "--wait"},
		"nothing kept":        {[]string{"--listen", filepath.Join(dir, "p.sock"), "--driver", "d.sock", "--keep", "0"}, "--keep"},
		"no folder":           {[]string{"--listen", filepath.Join(dir, "p.sock"), "--driver", "d.sock", "--output", filepath.Join(dir, "absent", "f")}, "absent"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			command := NewProxy()
			command.SilenceErrors, command.SilenceUsage = true, true
			command.SetArgs(test.args)
			if err := command.ExecuteContext(ctx); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, wanted an error with %s", err, test.want)
			}
			if _, err := os.Lstat(filepath.Join(dir, "p.sock")); err == nil {
				t.Error("a socket is left")
			}
		})
	}
}
