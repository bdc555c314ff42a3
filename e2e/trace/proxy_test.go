// SPDX-License-Identifier: Apache-2.0

package trace

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// limit is the time limit of a test's waits.
const limit = 30 * time.Second

// fakeDriver is a driver whose answers a test sets.
type fakeDriver struct {
	csi.UnimplementedControllerServer
	csi.UnimplementedSnapshotMetadataServer

	create func(context.Context, *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error)
	// future answers calls of services that this version of CSI does not have.
	future func(method string, request []byte) ([]byte, error)
}

func (d *fakeDriver) CreateVolume(ctx context.Context, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	return d.create(ctx, r)
}

func (d *fakeDriver) GetMetadataAllocated(r *csi.GetMetadataAllocatedRequest, out csi.SnapshotMetadata_GetMetadataAllocatedServer) error {
	for i := range r.GetMaxResults() {
		if err := out.Send(&csi.GetMetadataAllocatedResponse{VolumeCapacityBytes: int64(i) + 1}); err != nil {
			return err
		}
	}
	return status.Error(codes.OutOfRange, "no more")
}

// serve serves the driver until the returned function is called, or the test ends.
func (d *fakeDriver) serve(t testing.TB, socket string) (stop func()) {
	t.Helper()
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
		method, _ := grpc.MethodFromServerStream(stream)
		request := &csi.ProbeRequest{} // the sent data is in its unknown fields
		if err := stream.RecvMsg(request); err != nil {
			return err
		}
		answer, err := d.future(method, request.ProtoReflect().GetUnknown())
		if err != nil {
			return err
		}
		response := &csi.ProbeRequest{}
		response.ProtoReflect().SetUnknown(answer)
		return stream.SendMsg(response)
	}))
	csi.RegisterControllerServer(server, d)
	csi.RegisterSnapshotMetadataServer(server, d)
	var served sync.WaitGroup
	served.Go(func() { _ = server.Serve(listener) })
	stop = sync.OnceFunc(func() { server.Stop(); served.Wait() })
	t.Cleanup(stop)
	return stop
}

// proxied is a driver behind a proxy.
type proxied struct {
	proxy  *Proxy
	socket string
	conn   *grpc.ClientConn
	stop   func()
	lines  *bytes.Buffer
}

// behind serves the driver and a proxy in front of it, which waits for no driver.
func behind(t testing.TB, driver *fakeDriver) *proxied {
	t.Helper()
	return behindPatient(t, driver, 0)
}

// behindPatient serves the driver and a proxy in front of it, which waits for the driver for the given time.
func behindPatient(t testing.TB, driver *fakeDriver, patience time.Duration) *proxied {
	t.Helper()
	dir := t.TempDir()
	lines := &bytes.Buffer{}
	p := &proxied{lines: lines, socket: filepath.Join(dir, "proxy.sock"), proxy: &Proxy{
		Driver: filepath.Join(dir, "driver.sock"), Recorder: NewRecorder("node-a", "controller", 1000, lines), Rules: &Rules{}, Patience: patience,
	}}
	listener, err := Listen(t.Context(), p.socket)
	if err != nil {
		t.Fatal(err)
	}
	p.stop = driver.serve(t, p.proxy.Driver)
	ctx, cancel := context.WithCancel(context.Background())
	var ended sync.WaitGroup
	ended.Go(func() {
		if err := p.proxy.Serve(ctx, listener); err != nil {
			t.Errorf("the proxy ended: %v", err)
		}
	})
	ended.Go(func() {
		if err := p.proxy.Recorder.Run(ctx); err != nil {
			t.Errorf("the recorder ended: %v", err)
		}
	})
	t.Cleanup(func() { cancel(); ended.Wait() })
	p.conn = connect(t, p.socket)
	return p
}

func connect(t testing.TB, socket string) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient("unix:"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// recorded returns the recorded calls.
func (p *proxied) recorded(t *testing.T) []Call {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	calls, err := p.client(t).Calls(ctx, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return calls
}

func TestForwardsUnaryCall(t *testing.T) {
	wanted := &csi.CreateVolumeResponse{Volume: &csi.Volume{VolumeId: "v1", CapacityBytes: 5}}
	p := behind(t, &fakeDriver{create: func(ctx context.Context, r *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		sent, _ := metadata.FromIncomingContext(ctx)
		if got := sent.Get("x-caller"); len(got) != 1 || got[0] != "provisioner" {
			t.Errorf("the driver got x-caller %q", got)
		}
		if _, limited := ctx.Deadline(); !limited {
			t.Error("the driver got no deadline")
		}
		if got := r.ProtoReflect().GetUnknown(); !bytes.Equal(got, futureField()) {
			t.Errorf("the driver got unknown fields %x, wanted %x", got, futureField())
		}
		return wanted, errors.Join(
			grpc.SetHeader(ctx, metadata.Pairs("x-header", "h")),
			grpc.SetTrailer(ctx, metadata.Pairs("x-trailer", "t")))
	}})
	ctx, cancel := context.WithTimeout(metadata.AppendToOutgoingContext(t.Context(), "x-caller", "provisioner"), limit)
	defer cancel()
	request := &csi.CreateVolumeRequest{Name: "pvc-1", Secrets: map[string]string{"password": "hunter2"}}
	request.ProtoReflect().SetUnknown(futureField())
	var header, trailer metadata.MD
	got, err := csi.NewControllerClient(p.conn).CreateVolume(ctx, request, grpc.Header(&header), grpc.Trailer(&trailer))
	if err != nil || !proto.Equal(got, wanted) {
		t.Fatalf("got %v, %v, wanted %v", got, err, wanted)
	}
	if header.Get("x-header") == nil || trailer.Get("x-trailer") == nil {
		t.Errorf("got header %v and trailer %v", header, trailer)
	}
	calls := p.recorded(t)
	if len(calls) != 1 {
		t.Fatalf("recorded %d calls, wanted 1", len(calls))
	}
	call := calls[0]
	if call.Number != 1 || call.Node != "node-a" || call.Endpoint != "controller" || call.Code != "OK" || call.Seconds <= 0 || call.Time.IsZero() ||
		call.Method != "/csi.v1.Controller/CreateVolume" || !contains(call.Request, []byte(`{"name":"pvc-1"}`)) ||
		!contains(call.Response, []byte(`{"volume":{"volume_id":"v1","capacity_bytes":5}}`)) {
		t.Errorf("recorded %+v", call)
	}
	if strings.Contains(p.lines.String(), "hunter2") || !contains(call.Request, []byte(`{"secrets":{"password":"***stripped***"}}`)) {
		t.Errorf("the secret was not stripped, or its key was: %s", p.lines)
	}
}

// futureField returns a field that no message of this version of CSI has.
func futureField() []byte {
	return protowire.AppendString(protowire.AppendTag(nil, 4000, protowire.BytesType), "from the future")
}

func TestForwardsStatusWithDetails(t *testing.T) {
	refused, err := status.New(codes.ResourceExhausted, "full").WithDetails(&errdetails.ErrorInfo{Reason: "QUOTA"})
	if err != nil {
		t.Fatal(err)
	}
	p := behind(t, &fakeDriver{create: func(context.Context, *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		return nil, refused.Err()
	}})
	_, err = csi.NewControllerClient(p.conn).CreateVolume(t.Context(), &csi.CreateVolumeRequest{})
	if got := status.Convert(err); !proto.Equal(got.Proto(), refused.Proto()) {
		t.Errorf("got %v, wanted %v", got.Proto(), refused.Proto())
	}
	if calls := p.recorded(t); len(calls) != 1 || calls[0].Code != "RESOURCE_EXHAUSTED" || calls[0].Message != "full" {
		t.Errorf("recorded %+v", calls)
	}
}

func TestForwardsCallOfAnotherVersion(t *testing.T) {
	const method = "/csi.v2.Controller/TeleportVolume"
	p := behind(t, &fakeDriver{future: func(got string, request []byte) ([]byte, error) {
		if got != method || !bytes.Equal(request, futureField()) {
			t.Errorf("the driver got %s with %x", got, request)
		}
		return futureField(), nil
	}})
	request, response := &csi.ProbeRequest{}, &csi.ProbeRequest{}
	request.ProtoReflect().SetUnknown(futureField())
	if err := p.conn.Invoke(t.Context(), method, request, response); err != nil {
		t.Fatal(err)
	}
	if got := response.ProtoReflect().GetUnknown(); !bytes.Equal(got, futureField()) {
		t.Errorf("got %x, wanted %x", got, futureField())
	}
	calls := p.recorded(t)
	if len(calls) != 1 || calls[0].Method != method || calls[0].Code != "OK" || calls[0].Request != nil || calls[0].Response != nil {
		t.Errorf("recorded %+v, wanted no messages, which may have secrets", calls)
	}
}

func TestForwardsStream(t *testing.T) {
	p := behind(t, &fakeDriver{})
	stream, err := csi.NewSnapshotMetadataClient(p.conn).GetMetadataAllocated(t.Context(), &csi.GetMetadataAllocatedRequest{SnapshotId: "s1", MaxResults: 20})
	if err != nil {
		t.Fatal(err)
	}
	var found []int64
	for {
		response, err := stream.Recv()
		if err != nil {
			if status.Code(err) != codes.OutOfRange {
				t.Errorf("the stream ended with %v, wanted OUT_OF_RANGE", err)
			}
			break
		}
		found = append(found, response.GetVolumeCapacityBytes())
	}
	if len(found) != 20 || found[19] != 20 {
		t.Errorf("got %v", found)
	}
	calls := p.recorded(t)
	if len(calls) != 1 || calls[0].Code != "OUT_OF_RANGE" || strings.Count(string(calls[0].Response), "volume_capacity_bytes") != keptMessages {
		t.Errorf("recorded %+v", calls)
	}
}

func TestDriverThatIsNotThere(t *testing.T) {
	p := behind(t, &fakeDriver{})
	p.stop()
	conn, err := net.Dial("unix", p.socket)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if n, err := conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("read %d bytes, %v, wanted to be hung up on", n, err)
	}
}

func TestDriverThatEnds(t *testing.T) {
	called := make(chan struct{})
	driver := &fakeDriver{create: func(ctx context.Context, _ *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		close(called)
		<-ctx.Done()
		return nil, status.FromContextError(ctx.Err()).Err()
	}}
	p := behind(t, driver)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	ended := make(chan error)
	go func() {
		_, err := csi.NewControllerClient(p.conn).CreateVolume(ctx, &csi.CreateVolumeRequest{Name: "cut"})
		ended <- err
	}()
	<-called
	p.stop()
	if err := <-ended; status.Code(err) != codes.Unavailable {
		t.Errorf("got %v, wanted UNAVAILABLE", err)
	}
	for state := p.conn.GetState(); state == connectivity.Ready; state = p.conn.GetState() {
		if !p.conn.WaitForStateChange(ctx, state) {
			t.Fatal("the caller was not hung up on")
		}
	}
	// The connection may be closed before the call is recorded.
	if calls, err := p.client(t).Calls(ctx, 0, limit); err != nil || len(calls) != 1 || calls[0].Code != "UNAVAILABLE" {
		t.Errorf("recorded %+v, %v", calls, err)
	}
	// The driver is back, and reachable through the proxy.
	driver.create = func(context.Context, *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		return &csi.CreateVolumeResponse{}, nil
	}
	driver.serve(t, p.proxy.Driver)
	if _, err := csi.NewControllerClient(p.conn).CreateVolume(ctx, &csi.CreateVolumeRequest{}, grpc.WaitForReady(true)); err != nil {
		t.Errorf("the driver that is back answered %v", err)
	}
}

func TestCallerThatGivesUp(t *testing.T) {
	called, cancelled := make(chan struct{}), make(chan struct{})
	p := behind(t, &fakeDriver{create: func(ctx context.Context, _ *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		close(called)
		<-ctx.Done()
		close(cancelled)
		return nil, ctx.Err()
	}})
	ctx, giveUp := context.WithCancel(t.Context())
	go func() { <-called; giveUp() }()
	_, err := csi.NewControllerClient(p.conn).CreateVolume(ctx, &csi.CreateVolumeRequest{})
	if status.Code(err) != codes.Canceled {
		t.Errorf("got %v, wanted CANCELED", err)
	}
	select {
	case <-cancelled:
	case <-time.After(limit):
		t.Error("the driver was not told that the caller gave up")
	}
}

func TestListenRefusesWhatIsNoSocket(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	served := filepath.Join(dir, "served.sock")
	(&fakeDriver{}).serve(t, served)
	for name, path := range map[string]string{"a file": file, "a socket that is served": served} {
		_, err := Listen(t.Context(), path)
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v, wanted an error that names %s", name, err, path)
		}
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "mine" {
		t.Errorf("the file holds %q, %v", data, err)
	}
}

func TestListenReplacesSocketThatWasLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "left.sock")
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	_ = left.Close()
	listener, err := Listen(t.Context(), path)
	if err != nil {
		t.Fatalf("listening where a socket was left: %v", err)
	}
	_ = listener.Close()
}

func TestWaitsForDriverThatIsNotThereYet(t *testing.T) {
	driver := &fakeDriver{create: func(context.Context, *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
		return &csi.CreateVolumeResponse{}, nil
	}}
	p := behindPatient(t, driver, limit)
	p.stop()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	caller := connect(t, p.socket)
	caller.Connect()
	// The caller is connected, and waits until the driver starts.
	for caller.GetState() != connectivity.Connecting {
		if !caller.WaitForStateChange(ctx, caller.GetState()) {
			t.Fatal("the caller does not connect")
		}
	}
	driver.serve(t, p.proxy.Driver)
	// Without WaitForReady, the first failed connection ends the call.
	if _, err := csi.NewControllerClient(caller).CreateVolume(ctx, &csi.CreateVolumeRequest{}); err != nil {
		t.Errorf("the driver that started late answered %v", err)
	}
	if calls := p.recorded(t); len(calls) != 1 || calls[0].Code != "OK" {
		t.Errorf("recorded %+v", calls)
	}
}
