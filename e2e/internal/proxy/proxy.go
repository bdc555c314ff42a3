// SPDX-License-Identifier: Apache-2.0

// Package proxy is the command line of the recording proxy: a command of csi-topo, and a small separate program for images.
package proxy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
	_ "k8s.io/kubelet/pkg/apis/pluginregistration/v1" // registers messages about drivers, for rules to answer

	"github.com/csi-topo/csi-topo/e2e/trace"
)

// options holds the flags of the command.
type options struct {
	listen, driver, control string
	node, endpoint, output  string
	wait                    time.Duration
	keep                    int
	rules                   []string
}

// NewProxy returns the command. It ends without an error when its context ends.
func NewProxy() *cobra.Command {
	var o options
	command := &cobra.Command{
		Use:   "proxy --listen SOCKET [--driver SOCKET]",
		Short: "Record every call that sidecars or a kubelet send to a driver",
		Long: `Record every call that sidecars or a kubelet send to a driver.

The proxy listens on one Unix socket, forwards each call unchanged to another, and writes a line of JSON for it:
time, node, method, request, response or code, and how long it took. Secrets are removed.

With --control, it serves HTTP on a third socket: GET /calls returns what was recorded, and rules that are posted to
/rules make it delay calls, change responses, or answer for the driver. Rules of --rule are in force from the
beginning; without --driver, only rules answer calls.`,
		Example: `  # Point the sidecars' --csi-address at the socket that the proxy listens on.
  csi-topo proxy --listen /csi/proxy.sock --driver /csi/csi.sock > calls.jsonl

  # The next CreateVolume fails, though the driver creates the volume.
  csi-topo proxy --listen /csi/proxy.sock --driver /csi/csi.sock --control /csi/control.sock --output calls.jsonl &
  curl --unix-socket /csi/control.sock http://proxy/rules \
    -d '{"id": "lost", "method": "CreateVolume", "times": 1, "code": "DEADLINE_EXCEEDED", "forward": true}'`,
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			return run(command.Context(), o, command.OutOrStdout())
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.listen, "listen", "", "path of the socket to listen on (required)")
	flags.StringVar(&o.driver, "driver", "", "path of the driver's socket, which need not exist yet; without one, rules answer")
	flags.StringVar(&o.control, "control", "", "path of a socket that serves the recorded calls and accepts rules")
	flags.StringArrayVar(&o.rules, "rule", nil, "rule that is in force from the beginning, as a JSON `object`; may be repeated")
	flags.StringVar(&o.node, "node", os.Getenv("NODE_NAME"), "name of the node to record; by default $NODE_NAME")
	flags.StringVar(&o.endpoint, "endpoint", "", "name to record for the driver's socket, such as controller, node, or the name of its pod")
	flags.DurationVar(&o.wait, "wait", 0, "how long to keep the connection of a caller open while the driver does not listen")
	flags.IntVar(&o.keep, "keep", 10_000, "how many of the last calls --control serves, or as many as are in 64 MiB; all are in the output")
	flags.StringVar(&o.output, "output", "", "file to append the recorded calls to; by default standard output")
	_ = command.MarkFlagRequired("listen") // fails only for a flag that does not exist
	return command
}

func run(ctx context.Context, o options, stdout io.Writer) (err error) {
	if o.wait < 0 || o.keep < 1 {
		return fmt.Errorf("want --wait of 0 or more and --keep of 1 or more, found %s and %d", o.wait, o.keep)
	}
	out := stdout
	if o.output != "" {
		file, err := os.OpenFile(o.output, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return fmt.Errorf("opening the file for recorded calls: %w", err)
		}
		defer func() { _ = file.Close() }() // each line was written separately
		out = file
	}
	recorder, rules := trace.NewRecorder(o.node, o.endpoint, o.keep, out), &trace.Rules{}
	for _, text := range o.rules {
		if err := addRule(rules, text); err != nil {
			return fmt.Errorf("--rule %s: %w", text, err)
		}
	}
	callers, err := trace.Listen(ctx, o.listen)
	if err != nil {
		return err
	}
	defer func() { _ = callers.Close() }()
	controls, err := listenForControl(ctx, o.control) // before calls are forwarded: a caller may set rules first
	if err != nil {
		return err
	}

	// The recorder must outlive the calls that it records.
	recording, recorded := context.WithCancel(context.WithoutCancel(ctx))
	defer recorded()
	group, ctx := errgroup.WithContext(ctx)
	written := make(chan error, 1)
	go func() { written <- recorder.Run(recording) }()
	group.Go(func() error {
		return (&trace.Proxy{Driver: o.driver, Recorder: recorder, Rules: rules, Patience: o.wait}).Serve(ctx, callers)
	})
	group.Go(func() error { return control(ctx, controls, recorder, rules) })
	group.Go(func() error {
		select {
		case err := <-written: // the output accepts no more: a call that is not recorded must not be made
			written <- err
			return err
		case <-ctx.Done():
			return nil
		}
	})
	err = group.Wait()
	recorded()
	return errors.Join(err, <-written)
}

// addRule activates a rule that is given as JSON.
func addRule(rules *trace.Rules, text string) error {
	var rule trace.Rule
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&rule); err != nil {
		return fmt.Errorf("want a JSON object: %w", err)
	}
	return rules.Add(rule)
}

// listenForControl listens on the socket for control; it returns nil without a socket.
func listenForControl(ctx context.Context, socket string) (net.Listener, error) {
	if socket == "" {
		return nil, nil //nolint:nilnil // there is nothing to listen on
	}
	return trace.Listen(ctx, socket)
}

// control serves the handler until the context ends; it returns at once without a listener.
func control(ctx context.Context, listener net.Listener, recorder *trace.Recorder, rules *trace.Rules) error {
	if listener == nil {
		return nil
	}
	server := &http.Server{Handler: trace.Handler(recorder, rules), ReadHeaderTimeout: time.Minute}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving %s: %w", listener.Addr(), err)
	}
	return nil
}
