// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/onsi/ginkgo/v2/types"
	"golang.org/x/sync/errgroup"

	"github.com/csi-topo/csi-topo/e2e/cluster"
	"github.com/csi-topo/csi-topo/e2e/profile"
)

const (
	// kubernetesWithin is the time limit for one driver.
	kubernetesWithin = 30 * time.Minute
	// kubernetesRuns is the image of the suite's pods, by the name that the suite uses.
	kubernetesRuns = "registry.k8s.io/e2e-test-images/busybox:1.37.0-1"
)

// kubernetesSpecs returns the specs of topology and capacity of the external-storage suite, in groups that run
// concurrently.
func kubernetesSpecs() []string {
	return []string{
		`External.Storage.*immediate binding.*\] topology `,
		`External.Storage.*delayed binding.*\] topology `,
		`External.Storage.*\] capacity `,
	}
}

// kubernetesBaseline checks that Kubernetes' suite passes for the unchanged driver. If the suite's image is missing, its
// pods use the image of the cases' pods: they only need a shell that sleeps.
func (o *options) kubernetesBaseline(ctx context.Context) error {
	nodes, err := o.nodes(ctx)
	if err != nil {
		return err
	}
	for _, node := range nodes {
		said, err := o.onNode(ctx, node, `
			workload=$(ctr --namespace=k8s.io images list --quiet | grep /csi-topo-workload: | tail -1)
			ctr --namespace=k8s.io images tag --force "$workload" `+kubernetesRuns+` >&2
			echo "$workload"`, "")
		if err != nil {
			return fmt.Errorf("giving the pods of Kubernetes' suite an image: %w", err)
		}
		o.workload = strings.TrimSpace(said)
	}
	failed, err := o.kubernetes(ctx, trial{id: "right/" + reference, right: true})
	if err == nil && len(failed) > 0 {
		err = fmt.Errorf("the external-storage suite fails on the driver as it is, so it would prove nothing about faulty ones: %s; see its log in %s", strings.Join(failed, "; "), o.reportDir)
	}
	return err
}

// kubernetes returns the specs of Kubernetes' suite that fail.
func (o *options) kubernetes(ctx context.Context, t trial) (failed []string, err error) {
	kubeconfig, err := o.kubeconfig()
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(filepath.Join(o.reportDir, t.id))
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // a report is for everybody
		return nil, fmt.Errorf("making the directory of a report: %w", err)
	}
	files := make([]string, len(kubernetesSpecs()))
	run := func(ctx context.Context) error {
		var group errgroup.Group
		for i, focus := range kubernetesSpecs() {
			files[i] = filepath.Join(dir, fmt.Sprintf("kubernetes-%d.json", i+1))
			group.Go(func() error { return o.runKubernetes(ctx, kubeconfig, focus, files[i]) })
		}
		return group.Wait()
	}
	if t.injects() {
		options := cluster.Options{Kubeconfig: kubeconfig, Profile: profile.Reference, WorkloadImage: o.workload, Rules: t.rules}
		during := run
		run = func(ctx context.Context) error { return cluster.Inject(ctx, options, during) }
	}
	if err := run(ctx); err != nil {
		return nil, err
	}
	for _, file := range files {
		of, err := failedSpecs(file)
		if err != nil {
			return nil, err
		}
		failed = append(failed, of...)
	}
	slices.Sort(failed)
	return failed, nil
}

// runKubernetes runs the specs that the focus matches. Failed specs are not an error.
func (o *options) runKubernetes(ctx context.Context, kubeconfig, focus, file string) error {
	ctx, cancel := context.WithTimeout(ctx, kubernetesWithin)
	defer cancel()
	if err := os.RemoveAll(file); err != nil {
		return fmt.Errorf("removing an earlier report: %w", err)
	}
	driver, err := filepath.Abs(o.testDriver)
	if err != nil {
		return err
	}
	process := exec.CommandContext(ctx, o.suite, "--kubeconfig="+kubeconfig, "--provider=skeleton", "--storage.testdriver="+driver, "--repo-root="+filepath.Dir(driver),
		"--ginkgo.focus="+focus, "--ginkgo.json-report="+file, "--ginkgo.seed=1", "--test.timeout=0")
	process.Cancel = func() error { return process.Process.Signal(syscall.SIGINT) }
	process.WaitDelay = takenDownWithin
	said, err := process.CombinedOutput()
	if log := os.WriteFile(strings.TrimSuffix(file, ".json")+".log", said, 0o600); log != nil {
		return fmt.Errorf("saving what Kubernetes' suite printed: %w", log)
	}
	var failed *exec.ExitError
	if err != nil && (!errors.As(err, &failed) || ctx.Err() != nil) {
		return fmt.Errorf("running Kubernetes' suite: %w: %s", err, lastLine(said))
	}
	return nil
}

// failedSpecs returns the failed specs in a report of Ginkgo, by their texts. A report in which no spec ran is an error.
func failedSpecs(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading what Kubernetes' suite found: %w", err)
	}
	var reports []types.Report
	if err := json.Unmarshal(text, &reports); err != nil {
		return nil, fmt.Errorf("reading what Kubernetes' suite found in %s: %w", file, err)
	}
	ran := 0
	var failed []string
	for _, report := range reports {
		for _, spec := range report.SpecReports.WithLeafNodeType(types.NodeTypeIt) {
			if spec.State.Is(types.SpecStateSkipped | types.SpecStatePending) {
				continue
			}
			ran++
			if spec.Failed() {
				failed = append(failed, shortName(spec))
			}
		}
	}
	if ran == 0 {
		return nil, fmt.Errorf("no spec of Kubernetes' suite ran: want the specs on topology and capacity; see %s", file)
	}
	return failed, nil
}

// shortName returns a spec's pattern, suite and text.
func shortName(spec types.SpecReport) string {
	texts := append(slices.Clone(spec.ContainerHierarchyTexts), spec.LeafNodeText)
	if at := slices.IndexFunc(texts, func(text string) bool { return strings.Contains(text, "[Testpattern: ") }); at >= 0 {
		texts = texts[at:]
	}
	return strings.TrimPrefix(strings.Join(texts, " "), "[Testpattern: ")
}
