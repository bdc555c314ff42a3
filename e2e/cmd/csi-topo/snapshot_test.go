// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/moby/sys/mountinfo"
)

// snapshot is the set of things that a run could leave on this machine.
type snapshot map[string]bool

// snapshotNow lists containers, mounts, attached loop devices and the processes of
// container engines, drivers and this program. A process in an existing container does
// not count: the kubelets of other clusters come and go.
func snapshotNow(t *testing.T) snapshot {
	t.Helper()
	now := snapshot{}
	running := containers()
	for _, container := range running {
		now["container "+container.name] = true
	}
	mounts, err := mountinfo.GetMounts(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, mount := range mounts {
		now["mount "+mount.Mountpoint] = true
	}
	loops, err := filepath.Glob("/sys/block/loop*/loop/backing_file")
	if err != nil {
		t.Fatal(err)
	}
	for _, loop := range loops {
		now["loop device "+filepath.Base(filepath.Dir(filepath.Dir(loop)))] = true
	}
	for _, process := range processes(t, running) {
		now["process "+process] = true
	}
	return now
}

// since lists the things that exist now and did not exist before.
func (before snapshot) since(t *testing.T) []string {
	t.Helper()
	var left []string
	for thing := range snapshotNow(t) {
		if !before[thing] {
			left = append(left, thing)
		}
	}
	slices.Sort(left)
	return left
}

// privateEngine is the address of csi-topo's own engine. It is repeated here because a test must not rely on the program
// under test for it.
const privateEngine = "unix:///run/csi-topo/docker.sock"

type container struct{ name, id string }

func containers() []container {
	var all []container
	for _, host := range []string{"", privateEngine} {
		list := exec.Command("docker", "ps", "--all", "--no-trunc", "--format", "{{.Names}} {{.ID}}")
		list.Env = os.Environ()
		if host != "" {
			list.Env = append(list.Env, "DOCKER_HOST="+host)
		}
		out, err := list.Output()
		if err != nil {
			continue // No such engine runs, so it has no containers.
		}
		for line := range strings.Lines(string(out)) {
			name, id, _ := strings.Cut(strings.TrimSpace(line), " ")
			all = append(all, container{name: name, id: id})
		}
	}
	return all
}

// ours returns the names of the programs that a run starts, and of the run itself.
func ours() []string {
	return []string{"dockerd", "containerd", "containerd-shim", "containerd-shim-runc-v2", "docker", "docker-proxy", "hostpath-topo", "kubelet", filepath.Base(os.Args[0])}
}

func processes(t *testing.T, running []container) []string {
	t.Helper()
	names, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			continue // It ended meanwhile.
		}
		program, _, _ := strings.Cut(string(content), "\x00")
		process := filepath.Dir(name)
		if slices.Contains(ours(), filepath.Base(program)) && !inside(process, running) {
			found = append(found, filepath.Base(process)+" "+strings.ReplaceAll(string(content), "\x00", " "))
		}
	}
	return found
}

// inside reports whether a process belongs to a container, by its control groups.
func inside(process string, running []container) bool {
	groups, err := os.ReadFile(filepath.Join(process, "cgroup"))
	if err != nil {
		return false
	}
	return slices.ContainsFunc(running, func(c container) bool { return strings.Contains(string(groups), c.id) })
}
