// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// withoutPlugins restarts the cluster's scheduler without these plugins, until undo.
func (o *options) withoutPlugins(ctx context.Context, disabled []string) (undo func(context.Context) error, err error) {
	const right, manifest = "/etc/kubernetes/kube-scheduler.right", "/etc/kubernetes/manifests/kube-scheduler.yaml"
	var names []string
	for _, name := range disabled {
		names = append(names, fmt.Sprintf("{name: %s}", name))
	}
	undo = func(ctx context.Context) error {
		if _, err := o.onControlPlane(ctx, "mv "+right+" "+manifest, ""); err != nil {
			return fmt.Errorf("giving the scheduler its plugins back: %w", err)
		}
		return o.awaitScheduler(ctx, func(flags string) bool { return !strings.Contains(flags, "--config=") })
	}
	// The manifest mounts one file into the container; it is replaced by the directory with that file and the
	// configuration.
	_, err = o.onControlPlane(ctx, fmt.Sprintf(`
		cp %[1]s %[2]s
		cat >/etc/kubernetes/scheduler-wrong.yaml
		sed -e 's#^    - kube-scheduler$#&\n    - --config=/etc/kubernetes/scheduler-wrong.yaml#' \
			-e '/[pP]ath: .*scheduler.conf$/s#/scheduler.conf##' -e 's/FileOrCreate/Directory/' %[2]s >/etc/kubernetes/scheduler.new
		mv /etc/kubernetes/scheduler.new %[1]s`, manifest, right),
		fmt.Sprintf(`apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: /etc/kubernetes/scheduler.conf}
profiles: [{schedulerName: default-scheduler, plugins: {multiPoint: {disabled: [%s]}}}]
`, strings.Join(names, ", ")))
	if err != nil {
		return nil, fmt.Errorf("taking plugins from the scheduler: %w", err)
	}
	if err := o.awaitScheduler(ctx, func(flags string) bool { return strings.Contains(flags, "--config=") }); err != nil {
		return nil, errors.Join(err, undo(context.WithoutCancel(ctx)))
	}
	return undo, nil
}

// awaitScheduler waits for the scheduler to be ready with flags that satisfies accepts.
func (o *options) awaitScheduler(ctx context.Context, satisfies func(flags string) bool) error {
	const restartWithin, poll = 3 * time.Minute, time.Second
	var said string
	err := wait.PollUntilContextTimeout(ctx, poll, restartWithin, true, func(ctx context.Context) (_ bool, err error) {
		said, err = o.onControlPlane(ctx, asAdmin+"--namespace=kube-system get pods --selector=component=kube-scheduler "+
			`--output='jsonpath={..command} {..conditions[?(@.type=="Ready")].status}'`, "")
		return strings.HasSuffix(said, " True") && satisfies(said), err
	})
	if err != nil {
		return fmt.Errorf("waiting for the scheduler: %w: %s", err, said)
	}
	return nil
}
