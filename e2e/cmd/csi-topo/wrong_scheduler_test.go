// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/csi-topo/csi-topo/e2e/internal/wrong"
)

// TestWrongSchedulersAreCaught shows that cases that grade the platform notice a scheduler that lacks what they are about.
func TestWrongSchedulersAreCaught(t *testing.T) {
	makeWrongCluster(t)
	for _, scheduler := range wrong.Schedulers() {
		t.Run(scheduler.ID, func(t *testing.T) {
			withoutPlugins(t, wrongCluster, scheduler.Disabled)
			wantAllCaught(t, scheduler.Caught)
		})
	}
}

// withoutPlugins has the cluster's scheduler run without these plugins until the test ends.
func withoutPlugins(t *testing.T, cluster string, disabled []string) {
	t.Helper()
	const right, manifest = "/etc/kubernetes/kube-scheduler.right", "/etc/kubernetes/manifests/kube-scheduler.yaml"
	var names []string
	for _, name := range disabled {
		names = append(names, fmt.Sprintf("{name: %s}", name))
	}
	t.Cleanup(func() {
		onControlPlane(t, cluster, "mv", right, manifest)
		awaitScheduler(t, cluster, func(flags string) bool { return !strings.Contains(flags, "--config=") })
	})
	// The manifest shows the container one file, which becomes the directory with that file and the configuration.
	onControlPlane(t, cluster, "bash", "-ec", fmt.Sprintf(`
		cp %[1]s %[2]s
		cat >/etc/kubernetes/scheduler-wrong.yaml <<-END
		apiVersion: kubescheduler.config.k8s.io/v1
		kind: KubeSchedulerConfiguration
		clientConnection: {kubeconfig: /etc/kubernetes/scheduler.conf}
		profiles: [{schedulerName: default-scheduler, plugins: {multiPoint: {disabled: [%[3]s]}}}]
		END
		sed -e 's#^    - kube-scheduler$#&\n    - --config=/etc/kubernetes/scheduler-wrong.yaml#' \
			-e '/[pP]ath: .*scheduler.conf$/s#/scheduler.conf##' -e 's/FileOrCreate/Directory/' %[2]s >/etc/kubernetes/scheduler.new
		mv /etc/kubernetes/scheduler.new %[1]s`, manifest, right, strings.Join(names, ", ")))
	awaitScheduler(t, cluster, func(flags string) bool { return strings.Contains(flags, "--config=") })
}

// awaitScheduler waits for the scheduler to be ready with flags that satisfy.
func awaitScheduler(t *testing.T, cluster string, satisfies func(flags string) bool) {
	t.Helper()
	const restartWithin, poll = 3 * time.Minute, time.Second
	var said string
	err := wait.PollUntilContextTimeout(context.WithoutCancel(t.Context()), poll, restartWithin, true, func(context.Context) (bool, error) {
		said = onControlPlane(t, cluster, "kubectl", "--kubeconfig=/etc/kubernetes/admin.conf", "--namespace=kube-system",
			"get", "pods", "--selector=component=kube-scheduler", "--output=jsonpath={..command} {..conditions[?(@.type=='Ready')].status}")
		return strings.HasSuffix(said, " True") && satisfies(said), nil
	})
	if err != nil {
		t.Fatalf("waiting for the scheduler: %v: %s", err, said)
	}
}

// onControlPlane runs a command on the cluster's control plane, and returns what it printed.
func onControlPlane(t *testing.T, cluster string, command ...string) string {
	t.Helper()
	run := exec.Command("docker", append([]string{"exec", cluster + "-control-plane"}, command...)...)
	run.Env = os.Environ()
	if exec.Command("docker", "version").Run() != nil {
		run.Env = append(run.Env, "DOCKER_HOST="+privateEngine)
	}
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("running %q on the control plane: %v: %s", command[0], err, out)
	}
	return string(out)
}
