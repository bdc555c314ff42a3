// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// capSysResource is the number of CAP_SYS_RESOURCE in capabilities(7).
const capSysResource = 24

// Facts describes properties of the host that require a special configuration of a cluster. On an ordinary host, all are
// false.
type Facts struct {
	// CgroupV1 reports whether the engine puts containers into cgroups of version 1.
	CgroupV1 bool
	// LacksSysResource reports whether no process of this host may have CAP_SYS_RESOURCE, so that lowering oom_score_adj and
	// growing a mounted ext4 are refused.
	LacksSysResource bool
}

func readFacts(ctx context.Context, docker client) (Facts, error) {
	version, err := docker.run(ctx, "info", "--format", "{{.CgroupVersion}}")
	if err != nil {
		return Facts{}, fmt.Errorf("asking the engine about its host: %w", err)
	}
	return Facts{CgroupV1: version == "1", LacksSysResource: inspectHost().lacksSysResource}, nil
}

// host holds the properties of the host that decide whether a private daemon can run
// here.
type host struct {
	linux            bool
	root             bool
	dockerd          bool // installed, running or not
	lacksSysResource bool
	distribution     distribution
}

func inspectHost() host {
	status, _ := os.ReadFile("/proc/self/status") // absent without Linux, where no capability is missing
	release, _ := os.ReadFile("/etc/os-release")  // absent means an unknown distribution
	return host{
		linux:            runtime.GOOS == "linux",
		dockerd:          isInstalled("dockerd"),
		root:             os.Geteuid() == 0,
		lacksSysResource: lacksCapability(string(status), capSysResource),
		distribution:     parseOSRelease(string(release)),
	}
}

// lacksCapability reports whether the bounding set in a /proc/PID/status lacks a capability.
func lacksCapability(status string, capability int) bool {
	for line := range strings.Lines(status) {
		value, ok := strings.CutPrefix(line, "CapBnd:")
		if !ok {
			continue
		}
		bounding, err := strconv.ParseUint(strings.TrimSpace(value), 16, 64)
		return err == nil && bounding&(1<<capability) == 0
	}
	return false
}
