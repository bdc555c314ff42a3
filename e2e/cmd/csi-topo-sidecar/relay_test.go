// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestRelayCarriesBothDirections(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "csi.sock")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		// The server answers only at the end of the input.
		asked, _ := io.ReadAll(conn)
		_, _ = conn.Write(bytes.ToUpper(asked))
	}()
	var answer bytes.Buffer
	if err := relay(socket, strings.NewReader("question"), &answer); err != nil {
		t.Fatal(err)
	}
	if got := answer.String(); got != "QUESTION" {
		t.Errorf("the socket's answer was %q, wanted %q", got, "QUESTION")
	}
}

func TestRelaySaysWhichSocketIsMissing(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "absent.sock")
	err := relay(socket, strings.NewReader(""), io.Discard)
	if err == nil || !strings.Contains(err.Error(), socket) {
		t.Errorf("error %v, wanted one that names %s", err, socket)
	}
}

// TestRelayProbesTheProxy runs relay as a probe: it has no input, and ends once the
// proxy has its sockets.
func TestRelayProbesTheProxy(t *testing.T) {
	dir := t.TempDir()
	control := filepath.Join(dir, "control.sock")
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	proxy := newRootCommand()
	proxy.SetArgs([]string{"proxy", "--listen", filepath.Join(dir, "csi.sock"), "--driver", filepath.Join(dir, "absent.sock"), "--control", control})
	var ended sync.WaitGroup
	ended.Go(func() {
		if err := proxy.ExecuteContext(ctx); err != nil {
			t.Errorf("the proxy ended: %v", err)
		}
	})
	defer ended.Wait()
	defer stop()
	probe := func() error { return relay(control, strings.NewReader(""), io.Discard) }
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for err := probe(); err != nil; err = probe() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("the proxy is not up: %v", err)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "csi.sock")); err != nil {
		t.Errorf("the probe succeeds before there is a socket for callers: %v", err)
	}
}
