// Program relay joins its standard input and output to a Unix socket, so that a
// program outside a pod can speak to a socket inside it through the API server's exec.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: relay SOCKET")
		os.Exit(2)
	}
	if err := relay(os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "relay:", err)
		os.Exit(1)
	}
}

// relay copies in to the socket and the socket to out, until the socket's side ends.
func relay(socket string, in io.Reader, out io.Writer) error {
	conn, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return err
	}
	defer conn.Close()
	go func() {
		// The end of the input is passed on, so that the server can finish its answer.
		_, _ = io.Copy(conn, in)
		_ = conn.CloseWrite()
	}()
	if _, err := io.Copy(out, conn); err != nil {
		return fmt.Errorf("copying from %s: %w", socket, err)
	}
	return nil
}
