// SPDX-License-Identifier: Apache-2.0

package kind

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

const (
	clientsEndWithin = time.Minute
	clientsInterval  = 100 * time.Millisecond
)

// waitForClients waits until no docker command is making a node of the cluster. Such a command outlives a run that is
// killed, and a node that it makes after the cluster was deleted would block the next cluster with the name.
func waitForClients(ctx context.Context, name string) error {
	err := wait.PollUntilContextTimeout(ctx, clientsInterval, clientsEndWithin, true, func(context.Context) (bool, error) {
		return len(clientsOf("/proc", name)) == 0, nil
	})
	if err != nil {
		return fmt.Errorf("waiting for the docker commands that make nodes of kind cluster %s: %w: end processes %v", name, err, clientsOf("/proc", name))
	}
	return nil
}

// clientsOf returns the directories in processes, such as /proc, of the processes that are making a node of the cluster.
func clientsOf(processes, name string) []string {
	all, err := filepath.Glob(filepath.Join(processes, "[0-9]*"))
	if err != nil {
		return nil // the pattern is valid
	}
	var clients []string
	for _, process := range all {
		line, err := os.ReadFile(filepath.Join(process, "cmdline"))
		if err != nil {
			continue // it has ended
		}
		arguments := bytes.Split(line, []byte{0})
		label := []byte("io.x-k8s.kind.cluster=" + name)
		if len(arguments) > 1 && string(arguments[1]) == "run" && bytes.Contains(line, append(append([]byte{0}, label...), 0)) {
			clients = append(clients, process)
		}
	}
	return clients
}
