package main

import (
	"bytes"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
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
		// The server answers only when it has seen the end of the input.
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
