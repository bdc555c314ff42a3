// SPDX-License-Identifier: Apache-2.0

// Package relay makes a remote socket, such as in a pod, available at a local socket.
package relay

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
)

// Relay is a Unix socket that forwards each connection to another socket.
type Relay struct {
	listener net.Listener
	stop     context.CancelFunc
	serving  sync.WaitGroup
}

// Listen listens at the path until Close, and forwards each connection to one that dial opens. If dial fails, the caller's
// connection is closed, as if the server went away.
func Listen(ctx context.Context, path string, dial func(context.Context) (net.Conn, error)) (*Relay, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("listening for connections to forward: %w", err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	r := &Relay{listener: listener, stop: stop}
	r.serving.Go(func() {
		for {
			caller, err := listener.Accept()
			if err != nil {
				return // closed
			}
			r.serving.Go(func() { carry(ctx, caller, dial) })
		}
	})
	return r, nil
}

// Close ends the socket and all of its connections.
func (r *Relay) Close() error {
	r.stop()
	err := r.listener.Close()
	r.serving.Wait()
	return err
}

// carry copies the connection's data both ways, until one side or the context ends.
func carry(ctx context.Context, caller net.Conn, dial func(context.Context) (net.Conn, error)) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	end := func(c net.Conn) func() bool { return context.AfterFunc(ctx, func() { _ = c.Close() }) }
	end(caller)
	called, err := dial(ctx)
	if err != nil {
		return
	}
	end(called)
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{caller, called}, {called, caller}} {
		both.Go(func() {
			defer cancel()                 // gRPC closes both ways at once
			_, _ = io.Copy(way[0], way[1]) // the other side sees the end of the connection instead of an error
		})
	}
	both.Wait()
}
