// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/yaml"

	"github.com/csi-topo/csi-topo/e2e/mutation/deployed"
)

// withPolicy makes the cluster's API server apply the policy, until undo.
func (o *options) withPolicy(ctx context.Context, policy deployed.Policy) (undo func(context.Context) error, err error) {
	// An API server sees policies, and their bindings, in the order of their creation.
	probe := deployed.Policy{
		Version: "v1", Resource: "configmaps", When: `object.metadata.name == 'csi-topo-probe'`,
		Patch: `[JSONPatch{op: "add", path: "/metadata/labels", value: {"csi-topo/policy": "in-force"}}]`,
	}
	policy.Patch = strings.ReplaceAll(policy.Patch, deployed.Worker, o.name+"-worker")
	name := "csi-topo-" + strings.ReplaceAll(policy.ID, "_", "-")
	manifests, err := mutating(name, policy)
	if err != nil {
		return nil, err
	}
	last, err := mutating(name+"-probe", probe)
	if err != nil {
		return nil, err
	}
	manifests += last
	takeBack := func(ctx context.Context) error {
		_, err := o.onControlPlane(ctx, asAdmin+"delete --ignore-not-found -f -", manifests)
		if err = errors.Join(err, o.awaitPolicy(ctx, "")); err != nil {
			return err
		}
		if policy.RestartsAfter {
			return o.restartPlugins(ctx)
		}
		return nil
	}
	if err := o.force(ctx, policy, manifests); err != nil {
		return nil, errors.Join(err, takeBack(context.WithoutCancel(ctx)))
	}
	if policy.Resource != "storageclasses" {
		return takeBack, nil
	}
	reveal, err := o.concealClasses(ctx)
	if err != nil {
		return nil, errors.Join(err, takeBack(context.WithoutCancel(ctx)))
	}
	return func(ctx context.Context) error { return errors.Join(reveal(), takeBack(ctx)) }, nil
}

// force activates the policy.
func (o *options) force(ctx context.Context, policy deployed.Policy, manifests string) error {
	if _, err := o.onControlPlane(ctx, asAdmin+"apply -f -", manifests); err != nil {
		return fmt.Errorf("creating the policy: %w", err)
	}
	if err := o.awaitPolicy(ctx, "in-force"); err != nil {
		return err
	}
	if policy.RestartsBefore {
		return o.restartPlugins(ctx)
	}
	return nil
}

// mutating returns the policy as objects of Kubernetes.
func mutating(name string, policy deployed.Policy) (string, error) {
	const version = "admissionregistration.k8s.io/v1"
	metadata := map[string]any{"name": name}
	var manifests strings.Builder
	for _, object := range []map[string]any{
		{"apiVersion": version, "kind": "MutatingAdmissionPolicy", "metadata": metadata, "spec": map[string]any{
			"failurePolicy": "Fail", "reinvocationPolicy": "Never",
			"matchConstraints": map[string]any{"resourceRules": []any{map[string]any{
				"apiGroups": []string{policy.Group}, "apiVersions": []string{policy.Version}, "resources": []string{policy.Resource},
				"operations": []string{"CREATE", "UPDATE"},
			}}},
			"matchConditions": []any{map[string]any{"name": "when", "expression": policy.When}},
			"mutations":       []any{map[string]any{"patchType": "JSONPatch", "jsonPatch": map[string]any{"expression": policy.Patch}}},
		}},
		{"apiVersion": version, "kind": "MutatingAdmissionPolicyBinding", "metadata": metadata, "spec": map[string]any{"policyName": name}},
	} {
		manifest, err := yaml.Marshal(object)
		if err != nil {
			return "", fmt.Errorf("encoding policy %s: %w", name, err)
		}
		manifests.WriteString("---\n" + string(manifest))
	}
	return manifests.String(), nil
}

// awaitPolicy waits until the API server applies the policy, or has stopped applying it.
func (o *options) awaitPolicy(ctx context.Context, wanted string) error {
	const learnsWithin, poll = time.Minute, 500 * time.Millisecond
	var said string
	err := wait.PollUntilContextTimeout(ctx, poll, learnsWithin, true, func(ctx context.Context) (_ bool, err error) {
		said, err = o.onControlPlane(ctx, asAdmin+`create configmap csi-topo-probe --dry-run=server --output='jsonpath={.metadata.labels.csi-topo/policy}'`, "")
		return said == wanted, err
	})
	if err != nil {
		return fmt.Errorf("waiting for the API server to apply the policy: %w: want the probe labelled %q, found %q", err, wanted, said)
	}
	return nil
}

// restartPlugins replaces the driver's pods on nodes.
func (o *options) restartPlugins(ctx context.Context) error {
	const plugins = "--namespace=hostpath-topo-node rollout %s daemonset hostpath-topo-node %s\n"
	script := asAdmin + fmt.Sprintf(plugins, "restart", "") + asAdmin + fmt.Sprintf(plugins, "status", "--timeout=3m")
	if _, err := o.onControlPlane(ctx, script, ""); err != nil {
		return fmt.Errorf("starting the driver's node plugins again: %w", err)
	}
	return nil
}
