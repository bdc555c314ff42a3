// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Every kubelet, containerd and systemd of every node takes inotify instances and watches from the same kernel; the usual
// 128 instances suffice for about four nodes.
const (
	wantInotifyInstances = 1024
	wantInotifyWatches   = 1048576
)

// raiseInotify raises the kernel's inotify limits if they are too low for a cluster of several nodes. If this is not
// allowed, it only prints that: small clusters do not need it.
func raiseInotify(out io.Writer) {
	raiseLimits(out, "/proc/sys/fs/inotify")
}

func raiseLimits(out io.Writer, dir string) {
	for _, limit := range []struct {
		name string
		want int
	}{
		{"max_user_instances", wantInotifyInstances},
		{"max_user_watches", wantInotifyWatches},
	} {
		path := filepath.Join(dir, limit.name)
		text, err := os.ReadFile(path)
		if err != nil {
			continue // not Linux: the engine's virtual machine has its own limits
		}
		have, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil || have >= limit.want {
			continue
		}
		if err := os.WriteFile(path, []byte(strconv.Itoa(limit.want)), 0o644); err != nil {
			_, _ = fmt.Fprintf(out, "engine: fs.inotify.%s is %d and may not be raised here; if nodes do not start, run: sudo sysctl fs.inotify.%s=%d\n",
				limit.name, have, limit.name, limit.want)
			continue
		}
		_, _ = fmt.Fprintf(out, "engine: raised fs.inotify.%s from %d to %d\n", limit.name, have, limit.want)
	}
}
