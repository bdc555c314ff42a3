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

// snapshot is what a run could leave on this machine.
type snapshot map[string]bool

// snapshotNow lists containers, mounts, attached loop devices and the processes of
// container engines, drivers and this program.
func snapshotNow(t *testing.T) snapshot {
	t.Helper()
	now := snapshot{}
	for _, container := range containers() {
		now["container "+container] = true
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
	for _, process := range processes(t) {
		now["process "+process] = true
	}
	return now
}

// since lists what is there now and was not before.
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

// privateEngine is where csi-topo's own engine listens; a test of it must not depend on
// what the program under test says of itself.
const privateEngine = "unix:///run/csi-topo/docker.sock"

func containers() []string {
	var all []string
	for _, host := range []string{"", privateEngine} {
		list := exec.Command("docker", "ps", "--all", "--format", "{{.Names}}")
		list.Env = os.Environ()
		if host != "" {
			list.Env = append(list.Env, "DOCKER_HOST="+host)
		}
		out, err := list.Output()
		if err != nil {
			continue // No such engine runs, so it has no containers.
		}
		all = append(all, strings.Fields(string(out))...)
	}
	return all
}

// ours are the programs that a run starts, and the run itself.
func ours() []string {
	return []string{"dockerd", "containerd", "containerd-shim", "containerd-shim-runc-v2", "docker", "docker-proxy", "hostpath-topo", "kubelet", filepath.Base(os.Args[0])}
}

func processes(t *testing.T) []string {
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
		if slices.Contains(ours(), filepath.Base(program)) {
			found = append(found, filepath.Base(filepath.Dir(name))+" "+strings.ReplaceAll(string(content), "\x00", " "))
		}
	}
	return found
}
