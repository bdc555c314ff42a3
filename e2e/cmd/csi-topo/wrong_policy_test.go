// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/yaml"

	"github.com/csi-topo/csi-topo/e2e/internal/wrong"
)

// TestWrongPoliciesAreCaught shows that cases notice a cluster that does something else than its objects say, by an API
// server that changes these objects.
func TestWrongPoliciesAreCaught(t *testing.T) {
	makeWrongCluster(t)
	for _, policy := range wrong.Policies() {
		t.Run(policy.ID, func(t *testing.T) {
			withPolicy(t, wrongCluster, policy)
			if policy.Resource == "storageclasses" {
				concealClasses(t, wrongCluster)
			}
			wantAllCaught(t, policy.Caught)
		})
	}
}

// withPolicy has the cluster's API server change objects as the policy says until the test ends.
func withPolicy(t *testing.T, cluster string, policy wrong.Policy) {
	t.Helper()
	// An API server learns of policies, and of their bindings, in the order in which they are created.
	probe := wrong.Policy{
		Version: "v1", Resource: "configmaps", When: `object.metadata.name == 'csi-topo-probe'`,
		Patch: `[JSONPatch{op: "add", path: "/metadata/labels", value: {"csi-topo/policy": "in-force"}}]`,
	}
	policy.Patch = strings.ReplaceAll(policy.Patch, wrong.Worker, cluster+"-worker")
	name := "csi-topo-" + strings.ReplaceAll(policy.ID, "_", "-")
	manifests := append(mutating(t, name, policy), mutating(t, name+"-probe", probe)...)
	t.Cleanup(func() {
		kubectlWith(t, cluster, "delete --ignore-not-found -f -", manifests)
		awaitPolicy(t, cluster, "")
		if policy.RestartsAfter {
			restartPlugins(t, cluster)
		}
	})
	kubectlWith(t, cluster, "apply -f -", manifests)
	awaitPolicy(t, cluster, "in-force")
	if policy.RestartsBefore {
		restartPlugins(t, cluster)
	}
}

// mutating is the policy as objects of Kubernetes.
func mutating(t *testing.T, name string, policy wrong.Policy) []string {
	t.Helper()
	const version = "admissionregistration.k8s.io/v1"
	metadata := map[string]any{"name": name}
	var manifests []string
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
			t.Fatal(err)
		}
		manifests = append(manifests, string(manifest))
	}
	return manifests
}

// awaitPolicy waits until the API server changes objects, or no longer does.
func awaitPolicy(t *testing.T, cluster, wanted string) {
	t.Helper()
	const learnsWithin, poll = time.Minute, 500 * time.Millisecond
	var said string
	err := wait.PollUntilContextTimeout(context.WithoutCancel(t.Context()), poll, learnsWithin, true, func(context.Context) (bool, error) {
		said = onControlPlane(t, cluster, "kubectl", "--kubeconfig=/etc/kubernetes/admin.conf", "create", "configmap", "csi-topo-probe",
			"--dry-run=server", `--output=jsonpath={.metadata.labels.csi-topo/policy}`)
		return said == wanted, nil
	})
	if err != nil {
		t.Fatalf("waiting for the API server to learn of the policy: %v: want the probe labelled %q, found %q", err, wanted, said)
	}
}

// restartPlugins replaces the driver's pods on nodes.
func restartPlugins(t *testing.T, cluster string) {
	t.Helper()
	onControlPlane(t, cluster, "bash", "-ec", `
		export KUBECONFIG=/etc/kubernetes/admin.conf
		kubectl --namespace=hostpath-topo-node rollout restart daemonset hostpath-topo-node
		kubectl --namespace=hostpath-topo-node rollout status daemonset hostpath-topo-node --timeout=3m`)
}

// kubectlWith runs kubectl on the cluster's control plane, which reads these manifests.
func kubectlWith(t *testing.T, cluster, arguments string, manifests []string) {
	t.Helper()
	onControlPlane(t, cluster, "bash", "-ec", "kubectl --kubeconfig=/etc/kubernetes/admin.conf "+arguments+" <<'END'\n"+strings.Join(manifests, "---\n")+"END\n")
}
