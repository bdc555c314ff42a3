// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
)

// Proxy forwards its callers' calls to a driver's Unix socket.
type Proxy struct {
	// Driver is the path of the driver's socket; without one, only rules answer.
	Driver string
	// Recorder keeps the calls.
	Recorder *Recorder
	// Rules are the rules for calls that are handled differently.
	Rules *Rules
	// Patience is the time that a caller waits for a missing driver before its connection is closed. A sidecar that starts
	// with the driver exits when that happens.
	Patience time.Duration
}

// pollInterval is the interval at which the proxy looks for a missing driver.
const pollInterval = 20 * time.Millisecond

// Listen listens on a Unix socket. A socket that a killed proxy left is replaced; anything
// else at its path is an error.
func Listen(ctx context.Context, path string) (net.Listener, error) {
	if err := removeSocket(path); err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("listening on a socket: %w", err)
	}
	return listener, nil
}

// Serve forwards the calls that arrive at the listener until the context ends, and closes it. Calls that are then in flight
// are cut, and their connections closed.
func (p *Proxy) Serve(ctx context.Context, listener net.Listener) error {
	stop := context.AfterFunc(ctx, func() { _ = listener.Close() })
	defer stop()
	var connections sync.WaitGroup
	defer connections.Wait()
	for {
		caller, err := listener.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("accepting callers of the driver: %w", err)
		}
		connections.Go(func() { p.join(ctx, caller) })
	}
}

// removeSocket removes a socket without a server. It succeeds if nothing is at the path, and fails for anything else.
func removeSocket(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking for a socket that was left behind: %w", err)
	}
	if info.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("want nothing or a socket at %s, found %s: give another path", path, info.Mode())
	}
	if conn, err := net.Dial("unix", path); err == nil {
		_ = conn.Close()
		return fmt.Errorf("another program serves the socket %s: stop it, or give another path", path)
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("removing a socket that was left behind: %w", err)
	}
	return nil
}

// reach connects to the driver, and waits for a missing one as long as the proxy's patience lasts.
func (p *Proxy) reach(ctx context.Context) (net.Conn, error) {
	patience := time.NewTimer(p.Patience)
	defer patience.Stop()
	again := time.NewTicker(pollInterval)
	defer again.Stop()
	for {
		driver, err := (&net.Dialer{}).DialContext(ctx, "unix", p.Driver)
		if err == nil {
			return driver, nil
		}
		select {
		case <-again.C:
		case <-patience.C:
			return nil, err
		case <-ctx.Done():
			return nil, err
		}
	}
}

// join serves one caller with a separate connection to the driver: when either ends, so does the other.
func (p *Proxy) join(ctx context.Context, caller net.Conn) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	var driverGone atomic.Bool
	client, err := p.connect(ctx, func() { driverGone.Store(true); end() })
	if err != nil {
		_ = caller.Close()
		return
	}
	if client != nil {
		defer client.Close()
	}
	server := grpc.NewServer(
		grpc.ForceServerCodecV2(rawCodec{}),
		grpc.MaxRecvMsgSize(math.MaxInt32),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: time.Nanosecond, PermitWithoutStream: true}),
		grpc.UnknownServiceHandler(func(_ any, in grpc.ServerStream) error { //nolint:contextcheck // a call has the context of its stream
			return p.forward(in.Context(), client, &driverGone, in)
		}),
		grpc.WaitForHandlers(true), // so that calls in flight are recorded
	)
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { server.Stop(); close(stopped) })
	// Serve ends when the server is stopped, because its listener has only one connection.
	_ = server.Serve(&oneConn{conn: &watched{Conn: caller, closed: end}, ctx: ctx})
	end()
	if !stop() {
		<-stopped
	}
}

// connect returns a client of the driver; nil for a proxy without a driver. It calls closed when the driver's end of the
// connection is closed.
func (p *Proxy) connect(ctx context.Context, closed func()) (*grpc.ClientConn, error) {
	if p.Driver == "" {
		return nil, nil
	}
	driver, err := p.reach(ctx)
	if err != nil {
		return nil, err
	}
	client, err := clientOf(&watched{Conn: driver, closed: closed})
	if err != nil {
		_ = driver.Close()
	}
	return client, err
}

// clientOf returns a client of the one connection.
func clientOf(driver net.Conn) (*grpc.ClientConn, error) {
	var once sync.Once
	dial := func(context.Context, string) (net.Conn, error) {
		var conn net.Conn
		once.Do(func() { conn = driver })
		if conn == nil {
			return nil, net.ErrClosed
		}
		return conn, nil
	}
	client, err := grpc.NewClient("passthrough:///csi.sock",
		grpc.WithContextDialer(dial),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithIdleTimeout(0),
		grpc.WithDisableRetry(),
		grpc.WithDisableServiceConfig(),
		grpc.WithAuthority("localhost"),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(rawCodec{}), grpc.MaxCallRecvMsgSize(math.MaxInt32)))
	if err != nil {
		return nil, fmt.Errorf("preparing a client of the driver: %w", err)
	}
	client.Connect()
	return client, nil
}

// watched is a connection that reports when it is closed.
type watched struct {
	net.Conn
	closed func()
}

// Close implements net.Conn.
func (w *watched) Close() error {
	defer w.closed()
	return w.Conn.Close()
}

// oneConn is a listener that accepts one connection, and no more until the context ends.
type oneConn struct {
	conn net.Conn
	ctx  context.Context //nolint:containedctx // a listener's Accept has no context

	once sync.Once
}

// Accept implements net.Listener.
func (l *oneConn) Accept() (net.Conn, error) {
	var conn net.Conn
	l.once.Do(func() { conn = l.conn })
	if conn != nil {
		return conn, nil
	}
	<-l.ctx.Done()
	return nil, net.ErrClosed
}

// Close implements net.Listener.
func (l *oneConn) Close() error { return nil }

// Addr implements net.Listener.
func (l *oneConn) Addr() net.Addr { return l.conn.LocalAddr() }
