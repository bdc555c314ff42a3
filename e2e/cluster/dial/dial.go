// Package dial opens gRPC connections to CSI sockets that live inside pods, through
// nothing but the API server: an ephemeral container that mounts the socket's volume
// runs the relay program, and exec carries its input and output. It knows nothing of
// CSI, nor of which driver it is that answers.
package dial

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"strings"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/remotecommand"
)

// Socket is a Unix socket in a volume of a running pod.
type Socket struct {
	Namespace, Pod string
	// Volume is the pod's volume that holds the socket.
	Volume string
	// Path is the socket's path inside that volume.
	Path string
}

func (s Socket) String() string {
	return fmt.Sprintf("socket %s in volume %s of pod %s/%s", s.Path, s.Volume, s.Namespace, s.Pod)
}

// Dialer opens connections to sockets of one cluster.
type Dialer struct {
	REST *rest.Config
	Kube kubernetes.Interface
	// Image holds a shell at /bin/sh and the relay program at /relay.
	Image string
}

// Conn is a gRPC connection to a socket inside a pod.
type Conn struct {
	*grpc.ClientConn
	hangUp context.CancelFunc
	stderr *tail
}

// Open starts the relay's container where it does not run yet, and returns a connection
// that lasts until Close; nothing is sent before the first call on it.
func (d Dialer) Open(ctx context.Context, socket Socket) (*Conn, error) {
	container, err := d.relayContainer(ctx, socket)
	if err != nil {
		return nil, fmt.Errorf("reaching the %s: %w", socket, err)
	}
	// The streams outlive the call that asked for them, and end with the connection.
	alive, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	stderr := &tail{}
	dialer := func(context.Context, string) (net.Conn, error) {
		return d.stream(alive, socket, container, stderr)
	}
	conn, err := grpc.NewClient("passthrough:///csi.sock",
		grpc.WithContextDialer(dialer),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		hangUp()
		return nil, fmt.Errorf("reaching the %s: %w", socket, err)
	}
	return &Conn{ClientConn: conn, hangUp: hangUp, stderr: stderr}, nil
}

// Complaint is what the relay last said went wrong, empty when it did not complain.
func (c *Conn) Complaint() string { return c.stderr.String() }

// Close ends the connection and the relay behind it.
func (c *Conn) Close() error {
	err := c.ClientConn.Close()
	c.hangUp()
	return err
}

// stream runs the relay and returns its input and output as a connection.
func (d Dialer) stream(ctx context.Context, socket Socket, container string, stderr *tail) (net.Conn, error) {
	request := d.Kube.CoreV1().RESTClient().Post().
		Resource("pods").Namespace(socket.Namespace).Name(socket.Pod).SubResource("exec").
		VersionedParams(&corev1.PodExecOptions{
			Container: container,
			Command:   []string{"/relay", mountPath + "/" + socket.Path},
			Stdin:     true, Stdout: true, Stderr: true,
		}, scheme.ParameterCodec)
	executor, err := remotecommand.NewSPDYExecutor(d.REST, "POST", request.URL())
	if err != nil {
		return nil, fmt.Errorf("preparing exec of the relay: %w", err)
	}
	near, far := net.Pipe()
	go func() {
		defer far.Close()
		if err := executor.StreamWithContext(ctx, remotecommand.StreamOptions{
			Stdin: far, Stdout: far, Stderr: stderr,
		}); err != nil && ctx.Err() == nil {
			_, _ = fmt.Fprintf(stderr, " (exec: %v)", err)
		}
	}()
	return near, nil
}

// tail keeps the end of what is written to it; it may be written and read at once.
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
