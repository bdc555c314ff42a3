// SPDX-License-Identifier: Apache-2.0

package predicate

import (
	"fmt"
	"slices"
	"strings"
)

// MountPoints returns the mount points in a table like /proc/self/mountinfo that have one of the names as a path element,
// sorted; a point that is mounted twice is listed twice.
func MountPoints(mountinfo string, names ...string) ([]string, error) {
	var points []string
	for line := range strings.Lines(mountinfo) {
		fields := strings.Fields(line)
		const point = 4 // proc_pid_mountinfo(5)
		if len(fields) <= point {
			return nil, fmt.Errorf("mountinfo has the line %q, wanted a mount point in its fifth column", line)
		}
		if slices.ContainsFunc(strings.Split(fields[point], "/"), func(element string) bool { return slices.Contains(names, element) }) {
			points = append(points, fields[point])
		}
	}
	slices.Sort(points)
	return points, nil
}

// StillMounted requires the volume to be mounted wherever it was before.
func StillMounted(volume string, before, now []string) error {
	for _, point := range before {
		if !slices.Contains(now, point) {
			return mismatch("mounts of volume "+volume, "still at "+strings.Join(before, ", "), mountList(now))
		}
	}
	return nil
}

// NotMounted requires the volume to be mounted nowhere.
func NotMounted(volume string, now []string) error {
	if len(now) > 0 {
		return mismatch("mounts of volume "+volume, mountList(nil), mountList(now))
	}
	return nil
}

func mountList(points []string) string {
	if len(points) == 0 {
		return "none"
	}
	return "at " + strings.Join(points, ", ")
}
