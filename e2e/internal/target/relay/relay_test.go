// SPDX-License-Identifier: Apache-2.0

package relay

import (
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"testing"
)

// echo starts a server that returns the received data, and returns the path of its socket.
func echo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(conn, conn) }()
		}
	}()
	return path
}

func TestRelay(t *testing.T) {
	server := echo(t)
	var dialer net.Dialer
	path := filepath.Join(t.TempDir(), "s")
	relay, err := Listen(t.Context(), path, func(ctx context.Context) (net.Conn, error) { return dialer.DialContext(ctx, "unix", server) })
	if err != nil {
		t.Fatal(err)
	}
	var open []net.Conn
	for _, said := range []string{"one", "another"} {
		conn, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write([]byte(said)); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(said))
		if _, err := io.ReadFull(conn, got); err != nil || string(got) != said {
			t.Errorf("want %q, got %q, %v", said, got, err)
		}
		open = append(open, conn)
	}
	if err := open[0].Close(); err != nil {
		t.Fatal(err)
	}
	if err := relay.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
	if _, err := open[1].Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("a connection after the end: want it closed, got %v", err)
	}
	if _, err := net.Dial("unix", path); err == nil {
		t.Error("a connection to a relay that has ended: want an error")
	}
}

func TestRelayToNowhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	relay, err := Listen(t.Context(), path, func(context.Context) (net.Conn, error) { return nil, errors.New("nobody is there") })
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = relay.Close() }()
	conn, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("want the end of the connection, got %v", err)
	}
	if _, err := Listen(t.Context(), filepath.Join(t.TempDir(), "no", "such", "directory"), nil); err == nil {
		t.Error("a path that nothing can listen at: want an error")
	}
}
