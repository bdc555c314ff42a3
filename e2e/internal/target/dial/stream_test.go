// SPDX-License-Identifier: Apache-2.0

package dial

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/spdy"

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// limit is the time limit of a test's waits.
const limit = 30 * time.Second

// cluster is an API server with one pod that has a local directory as its volume
// socket-dir.
type cluster struct {
	t         *testing.T
	directory string
}

func (c *cluster) dialer() Dialer {
	t := c.t
	t.Helper()
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	config := &rest.Config{Host: server.URL}
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return Dialer{REST: config, Kube: kube, Image: "workload"}
}

// ServeHTTP implements http.Handler.
func (c *cluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/api/v1/namespaces/driver/pods/plugin":
		pod := &corev1.Pod{}
		pod.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{
			Name: "relay", Image: "workload", VolumeMounts: []corev1.VolumeMount{{Name: "socket-dir", MountPath: mountPath}},
		}}}
		pod.Status.EphemeralContainerStatuses = []corev1.ContainerStatus{{
			Name: "relay", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}},
		}}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(pod)
	case "/api/v1/namespaces/driver/pods/plugin/exec":
		c.exec(w, r)
	default:
		http.NotFound(w, r)
	}
}

// exec acts like the relay in the pod.
func (c *cluster) exec(w http.ResponseWriter, r *http.Request) {
	if _, err := httpstream.Handshake(r, w, []string{"v4.channel.k8s.io"}); err != nil {
		c.t.Errorf("exec: %v", err)
		return
	}
	streams := make(chan httpstream.Stream, 4)
	conn := spdy.NewResponseUpgrader().UpgradeResponse(w, r, func(stream httpstream.Stream, _ <-chan struct{}) error {
		streams <- stream
		return nil
	})
	if conn == nil {
		return
	}
	defer conn.Close()
	named := map[string]httpstream.Stream{}
	for len(named) < 4 { // error, stdin, stdout, stderr
		stream := <-streams
		named[stream.Headers().Get(corev1.StreamType)] = stream
	}
	command := r.URL.Query()["command"]
	if len(command) != 3 || command[0] != "/csi-topo-sidecar" || command[1] != "relay" {
		c.t.Errorf("the pod is to run %v", command)
		return
	}
	socket, err := net.Dial("unix", filepath.Join(c.directory, strings.TrimPrefix(command[2], mountPath)))
	if err != nil {
		_, _ = io.WriteString(named[corev1.StreamTypeStderr], err.Error())
		return
	}
	defer socket.Close()
	go func() {
		_, _ = io.Copy(socket, named[corev1.StreamTypeStdin])
		_ = socket.(*net.UnixConn).CloseWrite()
	}()
	_, _ = io.Copy(named[corev1.StreamTypeStdout], socket)
}

// control returns a control socket of the recording proxy in the pod.
func control(name string) Socket {
	return Socket{Namespace: "driver", Pod: "plugin", Volume: "socket-dir", Path: name}
}

func TestDialContextReachesTheProxy(t *testing.T) {
	directory := t.TempDir()
	listener, err := net.Listen("unix", filepath.Join(directory, "control.sock"))
	if err != nil {
		t.Fatal(err)
	}
	rules := &trace.Rules{}
	server := &http.Server{Handler: trace.Handler(trace.NewRecorder("node-a", "plugin", 1, io.Discard), rules)}
	go func() { _ = server.Serve(listener) }()
	defer server.Close()

	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	dialing, dialed := context.WithCancel(ctx)
	conn, err := (&cluster{t: t, directory: directory}).dialer().DialContext(dialing, control("control.sock"))
	if err != nil {
		t.Fatal(err)
	}
	dialed()
	client := trace.NewClient(func(context.Context) (net.Conn, error) { return conn, nil })
	defer client.Close()
	for _, id := range []string{"first", "second"} {
		if err := client.AddRule(ctx, trace.Rule{ID: id, Method: "CreateVolume", Code: "ABORTED"}); err != nil {
			t.Errorf("adding the %s rule: %v", id, err)
		}
	}
	if got := rules.List(); len(got) != 2 {
		t.Errorf("the proxy has rules %v, want both", got)
	}
}

func TestDialContextSaysWhatTheRelayComplainsOf(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	conn, err := (&cluster{t: t, directory: t.TempDir()}).dialer().DialContext(ctx, control("absent.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.ReadAll(conn); err == nil || !strings.Contains(err.Error(), "absent.sock") {
		t.Errorf("got %v, wanted an error that names the socket", err)
	}
}
