package volume

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The environment variables by which a test starts itself as the process that is killed.
const (
	envDataDir = "KILLED_TEST_DATA_DIR"
	envStaging = "KILLED_TEST_STAGING"
)

// TestMain is the killed process when it is started as such, and the tests otherwise.
func TestMain(m *testing.M) {
	if dir := os.Getenv(envDataDir); dir != "" {
		if err := waitToBeKilled(dir, os.Getenv(envStaging)); err != nil {
			fmt.Println(err)
		}
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// waitToBeKilled stages the volume, or only attaches it when there is no staging
// path, says so, and stays until it is killed.
func waitToBeKilled(dir, staging string) error {
	images, err := OpenImages(dir)
	if err != nil {
		return err
	}
	if staging != "" {
		err = NewLoopMounter(images).Stage(context.Background(), "v", staging, StageOptions{})
	} else {
		var image *os.File
		if image, err = images.open("v", false); err == nil {
			_, err = attach(context.Background(), image, false)
		}
	}
	if err != nil {
		return err
	}
	fmt.Println("ready")
	select {}
}

func TestKilledProcessLeavesNothingAttached(t *testing.T) {
	tests := []struct {
		name   string
		mounts bool
	}{
		{name: "between attach and mount"},
		{name: "after mount", mounts: true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			n, images := newNode(t)
			dir := filepath.Dir(images.root.Name())
			staging := ""
			if test.mounts {
				staging = n.staging()
			}
			kill(t, dir, staging)
			if test.mounts {
				must(t, "publish by the process that comes next", n.Publish(t.Context(), "v", n.staging(), n.target(), false))
				must(t, "unpublish", n.Unpublish(t.Context(), "v", n.target()))
				must(t, "unstage", n.Unstage(t.Context(), "v", n.staging()))
			}
			wantDetached(t, dir)
			must(t, "stage again", n.Stage(t.Context(), "v", n.staging(), StageOptions{}))
		})
	}
}

// kill starts the process, waits until it has done its part, and kills it.
func kill(t *testing.T, dir, staging string) {
	t.Helper()
	process := exec.CommandContext(t.Context(), os.Args[0])
	process.Env = append(os.Environ(), envDataDir+"="+dir, envStaging+"="+staging)
	output, err := process.StdoutPipe()
	must(t, "pipe", err)
	must(t, "start", process.Start())
	line, err := bufio.NewReader(output).ReadString('\n')
	must(t, "read", err)
	if line != "ready\n" {
		t.Fatalf("the process that was to be killed said %q", line)
	}
	if len(attachedBelow(t, dir)) != 1 {
		t.Fatalf("the process has not attached the image: %v", attachedBelow(t, dir))
	}
	must(t, "kill", process.Process.Kill())
	if err := process.Wait(); err == nil {
		t.Fatal("the process ended by itself")
	}
}
