// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"golang.org/x/sys/unix"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
	registrationv1 "k8s.io/kubelet/pkg/apis/pluginregistration/v1"

	"github.com/csi-topo/csi-topo/driver/registration"
)

const (
	readyWithin   = 60 * time.Second
	endWithin     = 30 * time.Second
	retryInterval = 50 * time.Millisecond
)

// program is a running process of the real program.
type program struct {
	*grpc.ClientConn
	socket string
	pid    int
	log    *bytes.Buffer // complete once it ended
	end    func()
}

// start runs the program until the test ends or end is called, and checks that it ends properly. The program is ready
// when start returns.
func start(t *testing.T, arguments ...string) program {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "csi", "csi.sock")
	log := &bytes.Buffer{}
	command := exec.Command(os.Args[0], append(arguments, "--endpoint=unix://"+socket)...)
	command.Env = append(os.Environ(), asProgram+"=1")
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	end := sync.OnceFunc(func() {
		_ = command.Process.Signal(unix.SIGTERM)
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("the program ended with %v:\n%s", err, log)
			}
		case <-time.After(endWithin):
			_ = command.Process.Kill()
			t.Errorf("the program did not end within %s of SIGTERM, and was killed: %v\n%s", endWithin, <-ended, log)
		}
		if _, err := os.Lstat(socket); !os.IsNotExist(err) {
			t.Errorf("its socket is still there: %v", err)
		}
	})
	t.Cleanup(end)

	connection, err := grpc.NewClient("unix://"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithConnectParams(grpc.ConnectParams{MinConnectTimeout: time.Second, Backoff: backoff.Config{BaseDelay: retryInterval, MaxDelay: retryInterval}}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), readyWithin)
	defer cancel()
	if _, err := csi.NewIdentityClient(connection).Probe(ctx, &csi.ProbeRequest{}, grpc.WaitForReady(true)); err != nil {
		end()
		t.Fatalf("the program is not ready: %v\n%s", err, log)
	}
	return program{ClientConn: connection, socket: socket, pid: command.Process.Pid, log: log, end: end}
}

// startController runs the controller plugin with its data in dataDir, and startNode
// the node plugin.
func startController(t *testing.T, dataDir string, more ...string) program {
	t.Helper()
	return start(t, append([]string{"controller", "--data-dir=" + dataDir}, more...)...)
}

func startNode(t *testing.T, dataDir string, more ...string) program {
	t.Helper()
	return start(t, append([]string{"node", "--node-name=n", "--data-dir=" + dataDir, "--state-dir=" + t.TempDir()}, more...)...)
}

func TestProbeOfAPlugin(t *testing.T) {
	controller := startController(t, t.TempDir())
	probe := func() error {
		command := newCommand(toCluster)
		command.SetArgs([]string{"probe", "--endpoint=unix://" + controller.socket})
		return command.ExecuteContext(t.Context())
	}
	if err := probe(); err != nil {
		t.Error(err)
	}
	controller.end()
	if err := probe(); err == nil || !strings.Contains(err.Error(), "does not answer Probe") {
		t.Errorf("after its end: %v", err)
	}
}

func TestPluginsServeTheirServices(t *testing.T) {
	dataDir := t.TempDir()
	controller, node := startController(t, dataDir), startNode(t, dataDir)
	if _, err := csi.NewControllerClient(controller).ControllerGetCapabilities(t.Context(), &csi.ControllerGetCapabilitiesRequest{}); err != nil {
		t.Error(err)
	}
	info, err := csi.NewNodeClient(node).NodeGetInfo(t.Context(), &csi.NodeGetInfoRequest{})
	if err != nil || info.GetNodeId() != "n" || info.GetAccessibleTopology().GetSegments()["topology.hostpath.topo.csi/zone"] != "Z2" {
		t.Errorf("the node says %v, %v", info, err)
	}
	for name, connection := range map[string]program{"controller": controller, "node": node} {
		plugin, err := csi.NewIdentityClient(connection).GetPluginInfo(t.Context(), &csi.GetPluginInfoRequest{})
		if err != nil || plugin.GetName() != "hostpath.topo.csi" || plugin.GetVendorVersion() == "" {
			t.Errorf("the %s says %v, %v", name, plugin, err)
		}
	}
}

func TestPluginsThatCannotStart(t *testing.T) {
	dataDir := t.TempDir()
	running := startController(t, dataDir, "--http-address=127.0.0.1:0")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	elsewhere := "--endpoint=unix://" + filepath.Join(t.TempDir(), "csi.sock")
	for _, test := range []struct {
		name  string
		given []string
		want  string // in the error
	}{
		{"the socket is taken", []string{"controller", "--data-dir=" + t.TempDir(), "--endpoint=unix://" + running.socket}, "another process serves"},
		{"the records are open", []string{"controller", "--data-dir=" + dataDir, elsewhere}, "another process has them open"},
		{"the port is taken", []string{
			"controller", "--data-dir=" + t.TempDir(), elsewhere, fmt.Sprintf("--http-address=127.0.0.1:%d", ports(t, running.pid)[0]),
		}, "listening for --http-address"},
		{"a data directory that is none", []string{"controller", "--data-dir=" + file, elsewhere}, "not a directory"},
		{"a node that the cluster does not have", []string{"node", "--node-name=m", "--data-dir=" + dataDir, elsewhere}, "reading the labels of node m"},
		{"a state directory that is none", []string{"node", "--node-name=n", "--state-dir=" + file, elsewhere}, "not a directory"},
		{"a registration directory that is none", []string{
			"node", "--node-name=n", "--state-dir=" + t.TempDir(), elsewhere, "--registration-dir=" + file, "--kubelet-endpoint=/s",
		}, "not a directory"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), endWithin)
			defer cancel()
			command := newCommand(toFakeCluster)
			command.SetArgs(test.given)
			if err := command.ExecuteContext(ctx); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("answered %v, want %q", err, test.want)
			}
		})
	}
}

func TestRegistration(t *testing.T) {
	directory := t.TempDir()
	command := newCommand(toFakeCluster)
	command.SetArgs([]string{
		"node", "--node-name=n", "--state-dir=" + t.TempDir(), "--data-dir=" + t.TempDir(), "--endpoint=unix://" + filepath.Join(t.TempDir(), "csi.sock"),
		"--registration-dir=" + directory, "--kubelet-endpoint=/host/csi.sock",
	})
	ctx, cancel := context.WithTimeout(t.Context(), endWithin)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- command.ExecuteContext(ctx) }()

	connection, err := grpc.NewClient("unix://"+registration.SocketPath(directory, "hostpath.topo.csi"), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	kubelet := registrationv1.NewRegistrationClient(connection)
	info, err := kubelet.GetInfo(ctx, &registrationv1.InfoRequest{}, grpc.WaitForReady(true))
	if err != nil || info.GetEndpoint() != "/host/csi.sock" {
		t.Errorf("the kubelet is told %v, %v", info, err)
	}
	if _, err := kubelet.NotifyRegistrationStatus(ctx, &registrationv1.RegistrationStatus{Error: "no such version"}); err != nil {
		t.Error(err)
	}
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "no such version") {
		t.Errorf("a node that the kubelet refuses ends with %v", err)
	}
}
