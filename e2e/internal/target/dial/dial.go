// SPDX-License-Identifier: Apache-2.0

// Package dial opens connections to sockets inside pods, of a driver or of the recording proxy in front of it, only through
// the API server: an ephemeral container that mounts the socket's volume runs the relay, and exec carries its input and
// output. It is independent of CSI and of the driver.
package dial

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// connectWithin is the time limit for a connection; a call that ends earlier stops waiting for it.
const connectWithin = time.Minute

// Socket is a Unix socket in a volume of a running pod.
type Socket struct {
	Namespace, Pod string
	// Volume is the pod's volume that holds the socket.
	Volume string
	// Path is the socket's path inside that volume.
	Path string
	// Container is a container of the pod that has the relay, and the volume at /csi; if empty, an ephemeral container
	// is added to the pod.
	Container string
}

func (s Socket) String() string {
	return fmt.Sprintf("socket %s in volume %s of pod %s/%s", s.Path, s.Volume, s.Namespace, s.Pod)
}

// Dialer opens connections to sockets of one cluster.
type Dialer struct {
	REST *rest.Config
	Kube kubernetes.Interface
	// Image holds a shell at /bin/sh and the relay in /csi-topo-sidecar.
	Image string
}

// Conn is a gRPC connection to a socket inside a pod.
type Conn struct {
	*grpc.ClientConn
	hangUp context.CancelFunc
	// stderr is the error output of the most recently started relay.
	stderr *atomic.Pointer[tail]
}

// DialContext starts the relay's container if it does not run yet, and returns a connection that lasts until Close: the
// context only limits the opening. Complaints of the relay, such as about a socket that does not exist, are in the errors
// of Read.
func (d Dialer) DialContext(ctx context.Context, socket Socket) (net.Conn, error) {
	container, err := d.relayContainer(ctx, socket)
	if err != nil {
		return nil, fmt.Errorf("reaching the %s: %w", socket, err)
	}
	return d.stream(context.WithoutCancel(ctx), socket, container, &tail{})
}

// Open starts the relay's container if it does not run yet, and returns a gRPC connection that lasts until Close;
// nothing is sent before the first call on it. If the pod is replaced by one with the same name, the next call starts
// the container there.
func (d Dialer) Open(ctx context.Context, socket Socket) (*Conn, error) {
	if _, err := d.relayContainer(ctx, socket); err != nil {
		return nil, fmt.Errorf("reaching the %s: %w", socket, err)
	}
	// The streams outlive the call that opened them, and end with the connection.
	alive, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	stderr := &atomic.Pointer[tail]{}
	stderr.Store(&tail{})
	dialer := func(ctx context.Context, _ string) (net.Conn, error) {
		container, err := d.relayContainer(ctx, socket)
		if err != nil {
			return nil, fmt.Errorf("reaching the %s: %w", socket, err)
		}
		complaints := &tail{}
		stderr.Store(complaints)
		return d.stream(alive, socket, container, complaints)
	}
	conn, err := grpc.NewClient("passthrough:///csi.sock",
		grpc.WithContextDialer(dialer),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		// On a busy cluster, exec may need longer to start the relay than the 20 s that gRPC gives a connection.
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: backoff.DefaultConfig, MinConnectTimeout: connectWithin}))
	if err != nil {
		hangUp()
		return nil, fmt.Errorf("reaching the %s: %w", socket, err)
	}
	return &Conn{ClientConn: conn, hangUp: hangUp, stderr: stderr}, nil
}

// Complaint returns the relay's last complaint; "" if there is none.
func (c *Conn) Complaint() string { return c.stderr.Load().String() }

// Close ends the connection and the relay behind it.
func (c *Conn) Close() error {
	err := c.ClientConn.Close()
	c.hangUp()
	return err
}
