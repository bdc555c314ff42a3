// SPDX-License-Identifier: Apache-2.0

package crash_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
)

// callTimeout limits how long a start or a call takes on a machine that is busy.
const callTimeout = time.Minute

// driver is a process that serves both plugins, and a connection to it.
type driver struct {
	t       *testing.T
	at      layout
	command *exec.Cmd
	input   io.Closer
	log     *bytes.Buffer
	started started

	connection *grpc.ClientConn
	controller csi.ControllerClient
	groups     csi.GroupControllerClient
	node       csi.NodeClient

	// next is the fault that happens in the next call, and last the events of the last one.
	next fault
	last []event
}

// start starts a driver over the directory, and returns when it serves. It ends
// with the test, if not before.
func start(t *testing.T, at layout) *driver {
	t.Helper()
	d := startWith(t, at, fault{})
	if d.started.Failed != "" {
		t.Fatalf("the driver does not start: %s", d.started.Failed)
	}
	return d
}

// startWith starts a driver and makes the fault happen meanwhile. The process may have
// ended when startWith returns.
func startWith(t *testing.T, at layout, f fault) *driver {
	t.Helper()
	executable, err := os.Executable()
	must(t, err)
	d := &driver{t: t, at: at, log: &bytes.Buffer{}, command: exec.Command(executable)}
	d.command.Env = append(os.Environ(), asDriver+"="+string(at), startFault+"="+f.encode())
	d.command.Stderr = d.log
	d.input, err = d.command.StdinPipe()
	must(t, err)
	output, err := d.command.StdoutPipe()
	must(t, err)
	must(t, d.command.Start())
	t.Cleanup(func() {
		d.kill()
		if t.Failed() && d.log.Len() > 0 {
			t.Logf("a driver process, the last one first, logged:\n%s", d.log)
		}
	})
	err = json.NewDecoder(output).Decode(&d.started)
	if errors.Is(err, io.EOF) {
		if !d.ended() {
			t.Fatalf("the driver ended by itself: %s", d.command.ProcessState)
		}
		return d
	}
	must(t, err)
	d.connect()
	return d
}

func (d *driver) connect() {
	d.t.Helper()
	var err error
	d.connection, err = grpc.NewClient(d.at.endpoint(),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithUnaryInterceptor(d.intercept))
	must(d.t, err)
	d.groups = csi.NewGroupControllerClient(d.connection)
	d.controller, d.node = csi.NewControllerClient(d.connection), csi.NewNodeClient(d.connection)
}

// intercept sends the next fault with a call, and keeps the returned events.
func (d *driver) intercept(ctx context.Context, method string, request, reply any, connection *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	var trailer metadata.MD
	ctx = metadata.AppendToOutgoingContext(ctx, faultKey, d.next.encode())
	d.next = fault{}
	err := invoke(ctx, method, request, reply, connection, append(options, grpc.Trailer(&trailer))...)
	d.last = nil
	for _, text := range trailer.Get(eventKey) {
		d.last = append(d.last, event(text))
	}
	return err
}

// kill ends the process, if it has not ended, as a crash would.
func (d *driver) kill() {
	_ = d.command.Process.Kill()
	d.ended()
}

// ended waits for the end of the process, and reports whether it was killed.
func (d *driver) ended() bool {
	if d.command.ProcessState == nil {
		_ = d.command.Wait() // ProcessState shows how it ended
	}
	if d.connection != nil {
		_ = d.connection.Close()
	}
	_ = d.input.Close()
	status, ok := d.command.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
