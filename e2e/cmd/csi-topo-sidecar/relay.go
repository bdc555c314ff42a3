// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"net"

	"github.com/spf13/cobra"
)

func newRelayCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "relay SOCKET",
		Short: "Join standard input and output to a Unix socket",
		Long: `Join standard input and output to a Unix socket.

A program outside a pod reaches a socket inside it through the API server's exec. As a probe, it reports whether anything
is listening on the socket.`,
		Args: cobra.ExactArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			return relay(args[0], command.InOrStdin(), command.OutOrStdout())
		},
	}
}

// relay copies in to the socket and the socket to out, until the server closes the connection.
func relay(socket string, in io.Reader, out io.Writer) error {
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return err
	}
	defer conn.Close()
	go func() {
		// The end of the input is forwarded, so that the server can finish its answer.
		_, _ = io.Copy(conn, in)
		_ = conn.CloseWrite()
	}()
	if _, err := io.Copy(out, conn); err != nil {
		return fmt.Errorf("copying from %s: %w", socket, err)
	}
	return nil
}
