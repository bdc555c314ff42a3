// SPDX-License-Identifier: Apache-2.0

package dial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/klog/v2"
)

// stream is a connection to a socket through its own relay.
type stream struct {
	net.Conn
	hangUp context.CancelFunc
	stderr *tail
}

// stream runs the relay and returns its input and output as a connection, which ends with
// the context at the latest.
func (d Dialer) stream(ctx context.Context, socket Socket, container string, stderr *tail) (net.Conn, error) {
	request := d.Kube.CoreV1().RESTClient().Post().
		Resource("pods").Namespace(socket.Namespace).Name(socket.Pod).SubResource("exec").
		VersionedParams(&corev1.PodExecOptions{
			Container: container,
			Command:   []string{"/csi-topo-sidecar", "relay", mountPath + "/" + socket.Path},
			Stdin:     true, Stdout: true, Stderr: true,
		}, scheme.ParameterCodec)
	executor, err := remotecommand.NewSPDYExecutor(d.REST, "POST", request.URL())
	if err != nil {
		return nil, fmt.Errorf("preparing exec of the relay: %w", err)
	}
	// client-go logs when either side closes the connection, which is normal.
	ctx, hangUp := context.WithCancel(klog.NewContext(ctx, logr.Discard()))
	near, far := net.Pipe()
	go func() {
		defer far.Close()
		if err := executor.StreamWithContext(ctx, remotecommand.StreamOptions{
			Stdin: far, Stdout: far, Stderr: stderr,
		}); err != nil && ctx.Err() == nil {
			_, _ = fmt.Fprintf(stderr, " (exec: %v)", err)
		}
	}()
	return &stream{Conn: near, hangUp: hangUp, stderr: stderr}, nil
}

// Read implements net.Conn.
func (s *stream) Read(p []byte) (int, error) {
	n, err := s.Conn.Read(p)
	if complaint := s.stderr.String(); errors.Is(err, io.EOF) && complaint != "" {
		return n, fmt.Errorf("the relay ended: %s: %w", complaint, err)
	}
	return n, err
}

// Close implements net.Conn. The relay's input ends before the relay does.
func (s *stream) Close() error {
	defer s.hangUp()
	return s.Conn.Close()
}

// tail keeps the end of the data written to it; it may be written and read concurrently.
type tail struct {
	mu   sync.Mutex
	text bytes.Buffer
}

const tailBytes = 4096

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text.Write(p)
	if surplus := t.text.Len() - tailBytes; surplus > 0 {
		t.text.Next(surplus)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(t.text.String())
}
