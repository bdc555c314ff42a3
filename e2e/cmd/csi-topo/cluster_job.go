// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"

	"github.com/csi-topo/csi-topo/clusters/environment"
	"github.com/csi-topo/csi-topo/clusters/install"
	"github.com/csi-topo/csi-topo/e2e/internal/job"
	"github.com/csi-topo/csi-topo/e2e/profile"
	"github.com/csi-topo/csi-topo/e2e/report"
)

const (
	jobWithin  = 5 * time.Minute
	jobRemoved = 2 * time.Minute
	jobPoll    = time.Second
)

// casesOfJob returns a few quick cases of several kinds: they read objects, use volumes and pods, and call the driver.
func casesOfJob() []string {
	return []string{"csinode_topology", "immediate_one_zone", "wffc_each_zone_1"}
}

// asJob runs a few cases again, from a Job in the cluster, with exactly the rights that csi-topo job prints, and reads its
// report from the ConfigMap.
func (r clusterRun) asJob(ctx context.Context, up *environment.Environment) error {
	text, err := profile.Text(r.described.name)
	if err != nil {
		return err
	}
	image, err := up.LoadSuite(ctx)
	if err != nil {
		return err
	}
	objects, err := job.Objects(job.Options{
		Image: image, WorkloadImage: up.Workload, Profile: r.described.profile, Text: string(text),
		NodeSelector: map[string]string{"node-role.kubernetes.io/control-plane": ""}, // the node with the image
		Args:         []string{"--verbose", "--focus=^(" + strings.Join(casesOfJob(), "|") + ")$"},
	})
	if err != nil {
		return err
	}
	kube, err := kubernetes.NewForConfig(up.REST)
	if err != nil {
		return fmt.Errorf("preparing a client: %w", err)
	}
	dir, done, err := r.jobDir()
	if err != nil {
		return err
	}
	defer done()
	return up.Progress.Step(ctx, "running cases from a Job in the cluster", func(ctx context.Context, log io.Writer) (err error) {
		defer func() { err = errors.Join(err, removeJob(ctx, up, kube, objects)) }()
		if err := install.Apply(ctx, up.Client, objects); err != nil {
			return err
		}
		waited := waitForJob(ctx, kube)
		logged := copyJobLog(ctx, kube, log)
		keeper := job.Keeper{Kube: kube, Namespace: job.Name, Name: job.ReportMap}
		if err := errors.Join(waited, logged, keeper.Fetch(ctx, dir)); err != nil {
			return err
		}
		return passedInJob(filepath.Join(dir, "report.yaml"))
	})
}

// jobDir returns the directory of the Job's report: below the run's own, if that is written.
func (r clusterRun) jobDir() (dir string, done func(), err error) {
	if r.Cases.ReportDir != "" {
		return filepath.Join(r.Cases.ReportDir, "job"), func() {}, nil
	}
	dir, remove, err := directory()
	return dir, func() { _ = remove() }, err
}

// waitForJob waits until the Job has succeeded or failed: its report says which.
func waitForJob(ctx context.Context, kube kubernetes.Interface) error {
	err := wait.PollUntilContextTimeout(ctx, jobPoll, jobWithin, true, func(ctx context.Context) (bool, error) {
		found, err := kube.BatchV1().Jobs(job.Name).Get(ctx, job.Name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		return slices.ContainsFunc(found.Status.Conditions, func(c batchv1.JobCondition) bool {
			return (c.Type == batchv1.JobComplete || c.Type == batchv1.JobFailed) && c.Status == corev1.ConditionTrue
		}), nil
	})
	if err != nil {
		return fmt.Errorf("waiting %s for the Job %s/%s to end: %w", jobWithin, job.Name, job.Name, err)
	}
	return nil
}

// copyJobLog copies the logs of the Job's pods.
func copyJobLog(ctx context.Context, kube kubernetes.Interface, log io.Writer) error {
	pods, err := kube.CoreV1().Pods(job.Name).List(ctx, metav1.ListOptions{LabelSelector: batchv1.JobNameLabel + "=" + job.Name})
	if err != nil {
		return fmt.Errorf("listing the Job's pods: %w", err)
	}
	for _, pod := range pods.Items {
		printed, err := kube.CoreV1().Pods(job.Name).GetLogs(pod.Name, &corev1.PodLogOptions{}).DoRaw(ctx)
		if err != nil {
			return fmt.Errorf("reading the log of the Job: %w", err)
		}
		if _, err := log.Write(printed); err != nil {
			return err
		}
	}
	return nil
}

// passedInJob returns an error unless cases of the Job have passed, and none has failed.
func passedInJob(file string) error {
	r, err := report.ReadFile(file)
	if err != nil {
		return err
	}
	if report.ExitCode(r) != report.ExitPassed {
		return fmt.Errorf("want all cases of the Job to pass, found %+v: see %s", r.Summary, file)
	}
	return nil
}

// removeJob removes the applied objects, and waits until the Job's namespace is gone.
func removeJob(ctx context.Context, up *environment.Environment, kube kubernetes.Interface, objects []*unstructured.Unstructured) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), jobRemoved)
	defer cancel()
	var failed error
	for _, object := range slices.Backward(objects) {
		if err := up.Client.Resources().GetControllerRuntimeClient().Delete(ctx, object); err != nil && !apierrors.IsNotFound(err) {
			failed = errors.Join(failed, fmt.Errorf("deleting %s %s: %w", object.GetKind(), object.GetName(), err))
		}
	}
	err := wait.PollUntilContextCancel(ctx, jobPoll, true, func(ctx context.Context) (bool, error) {
		_, err := kube.CoreV1().Namespaces().Get(ctx, job.Name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return true, nil
		}
		return false, err
	})
	if err != nil {
		failed = errors.Join(failed, fmt.Errorf("waiting for the namespace %s to be gone: %w", job.Name, err))
	}
	return failed
}
