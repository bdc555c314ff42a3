// SPDX-License-Identifier: Apache-2.0

// Package connections holds a run's connections to sockets inside pods: to the driver, and to recording proxies in front of
// it.
package connections

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync"

	"github.com/csi-topo/csi-topo/e2e/internal/target/dial"
	"github.com/csi-topo/csi-topo/e2e/trace"
)

// Shared are the connections of a run to sockets inside pods. Cases share them, since opening one takes an exec in the
// pod.
type Shared struct {
	dial.Dialer
	mu         sync.Mutex
	drivers    map[dial.Socket]*dial.Conn
	recordings map[dial.Socket]*Recording
}

// New returns a set without open connections.
func New(dialer dial.Dialer) *Shared {
	return &Shared{Dialer: dialer, drivers: map[dial.Socket]*dial.Conn{}, recordings: map[dial.Socket]*Recording{}}
}

// Driver returns the connection to the driver's socket, which lasts until the run ends.
func (c *Shared) Driver(ctx context.Context, socket dial.Socket) (*dial.Conn, error) {
	c.mu.Lock()
	open, found := c.drivers[socket]
	c.mu.Unlock()
	if found {
		return open, nil
	}
	opened, err := c.Open(ctx, socket)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if open, found = c.drivers[socket]; found { // another case was faster
		return open, opened.Close()
	}
	c.drivers[socket] = opened
	return opened, nil
}

// Recording returns the calls recorded by the recording proxy with this control socket.
func (c *Shared) Recording(socket dial.Socket) *Recording {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, known := c.recordings[socket]
	if !known {
		found = &Recording{Client: c.Proxy(socket)}
		c.recordings[socket] = found
	}
	return found
}

// Proxy returns a client of the recording proxy with this control socket.
func (c *Shared) Proxy(socket dial.Socket) *trace.Client {
	return trace.NewClient(func(ctx context.Context) (net.Conn, error) { return c.DialContext(ctx, socket) })
}

// Close closes all connections.
func (c *Shared) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var problems []error
	for _, open := range c.drivers {
		problems = append(problems, open.Close())
	}
	for _, open := range c.recordings {
		open.Close()
	}
	return errors.Join(problems...)
}

// Recording holds the calls recorded by a recording proxy. Each call is read once.
type Recording struct {
	*trace.Client
	mu    sync.Mutex
	calls []trace.Call
}

// All returns the calls since the proxy began, oldest first. With an error, it returns the calls read earlier.
func (r *Recording) All(ctx context.Context) ([]trace.Call, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var last int64
	if n := len(r.calls); n > 0 {
		last = r.calls[n-1].Number
	}
	calls, err := r.Calls(ctx, last, 0)
	r.calls = append(r.calls, calls...)
	return slices.Clip(r.calls), err
}
