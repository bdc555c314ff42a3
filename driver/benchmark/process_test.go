// SPDX-License-Identifier: Apache-2.0

package benchmark_test

import (
	"io"
	"net/rpc"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/csi-topo/csi-topo/driver/volume"
)

// asPopulation is set in the environment of a process that serves a population.
const asPopulation = "BENCHMARK_AS_POPULATION"

// TestMain serves a population in a process started for one, and runs the tests otherwise.
func TestMain(m *testing.M) {
	if os.Getenv(asPopulation) == "" {
		os.Exit(m.Run())
	}
	server := rpc.NewServer()
	if err := server.Register(&Population{}); err != nil {
		panic(err)
	}
	server.ServeConn(stream{os.Stdin, os.Stdout})
}

// stream consists of the ends of two pipes to another process.
type stream struct {
	io.ReadCloser
	io.WriteCloser
}

func (s stream) Close() error {
	_ = s.ReadCloser.Close()
	return s.WriteCloser.Close()
}

// process is a population in a separate process, so that the costs of one, especially garbage collection, do not affect
// the calls of another.
type process struct {
	client *rpc.Client
}

// start starts a population of the given number of volumes. It ends with the benchmark.
func start(b *testing.B, kind volume.Kind, volumes int) process {
	b.Helper()
	executable, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	command := exec.Command(executable)
	command.Env = append(os.Environ(), asPopulation+"=1")
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	// Made first, so that it is removed when the process has ended.
	dir := b.TempDir()
	if err := command.Start(); err != nil {
		b.Fatal(err)
	}
	p := process{client: rpc.NewClient(stream{out, in})}
	b.Cleanup(func() {
		_ = p.client.Close() // the process ends with its input
		_ = command.Wait()
	})
	p.call(b, "Fill", Filling{Dir: dir, Kind: kind, Volumes: volumes}, &struct{}{})
	return p
}

func (p process) measure(b *testing.B, batch Batch) (took []time.Duration) {
	b.Helper()
	p.call(b, "Measure", batch, &took)
	return took
}

func (p process) restore(b *testing.B) {
	b.Helper()
	p.call(b, "Restore", struct{}{}, &struct{}{})
}

func (p process) call(b *testing.B, method string, argument, reply any) {
	b.Helper()
	if err := p.client.Call("Population."+method, argument, reply); err != nil {
		b.Fatalf("%s: %v", method, err)
	}
}
