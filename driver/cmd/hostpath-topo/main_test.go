// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	logsapi "k8s.io/component-base/logs/api/v1"
)

// asProgram makes the test binary run as the program, in a cluster of one node.
const asProgram = "HOSTPATH_TOPO_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(run(os.Args[1:], toFakeCluster))
	}
	// Every command that a test runs in this process applies the same configuration of logs.
	logsapi.ReapplyHandling = logsapi.ReapplyHandlingIgnoreUnchanged
	os.Exit(m.Run())
}

// toFakeCluster connects to a cluster whose node "n" is in zone Z2 of region R1.
func toFakeCluster(string) (kubernetes.Interface, error) {
	return fake.NewClientset(&corev1.Node{ObjectMeta: metav1.ObjectMeta{
		Name:   "n",
		Labels: map[string]string{corev1.LabelTopologyRegion: "R1", corev1.LabelTopologyZone: "Z2"},
	}}), nil
}

func TestBadUsage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte("kind: DriverConfiguration\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		given []string
		want  string // in the error
	}{
		{name: "unknown command", given: []string{"agent"}, want: `unknown command "agent"`},
		{name: "unknown flag", given: []string{"node", "--nodename=n"}, want: "unknown flag: --nodename"},
		{name: "an argument", given: []string{"controller", "now"}, want: `unknown command "now"`},
		{name: "node without name", given: []string{"node"}, want: "--node-name is required"},
		{name: "negative limit", given: []string{"node", "--node-name=n", "--max-volumes=-1"}, want: "--max-volumes must not be negative, got -1"},
		{name: "node without state", given: []string{"node", "--node-name=n", "--state-dir="}, want: "--state-dir must not be empty"},
		{name: "registration without endpoint", given: []string{"node", "--node-name=n", "--registration-dir=/r"}, want: "need each other"},
		{name: "endpoint without registration", given: []string{"node", "--node-name=n", "--kubelet-endpoint=/s"}, want: "need each other"},
		{name: "empty endpoint", given: []string{"node", "--node-name=n", "--endpoint="}, want: "--endpoint and --data-dir must not be empty"},
		{name: "no configuration", given: []string{"controller", "--config=/nowhere/config.yaml"}, want: "/nowhere/config.yaml: no such file"},
		{name: "a configuration that is none", given: []string{"node", "--node-name=n", "--config=" + file}, want: file + ": [apiVersion: Unsupported value"},
		{name: "controller outside a cluster", given: []string{"controller"}, want: "--kubeconfig"},
		{name: "node outside a cluster", given: []string{"node", "--node-name=n"}, want: "--kubeconfig"},
		{name: "no such kubeconfig", given: []string{"controller", "--kubeconfig=/nowhere/config"}, want: "/nowhere/config: no such file"},
		{name: "a log format that there is not", given: []string{"controller", "--logging-format=xml"}, want: "xml"},
		{name: "probe of nothing", given: []string{"probe", "--endpoint=unix:///nowhere/csi.sock"}, want: "the driver does not answer Probe: Unavailable"},
		{name: "probe without time", given: []string{"probe", "--timeout=soon"}, want: `invalid argument "soon"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("KUBERNETES_SERVICE_HOST", "")
			command := newCommand(toCluster)
			command.SetArgs(test.given)
			if err := command.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("answered %v, want %q", err, test.want)
			}
		})
	}
}

func TestHelpNamesEveryFlag(t *testing.T) {
	for _, test := range []struct {
		command string
		want    []string
	}{
		{command: "controller", want: []string{"--endpoint", "--data-dir", "--http-address", "--kubeconfig", "--config", "--v", "--logging-format"}},
		{command: "node", want: []string{
			"--endpoint", "--data-dir", "--http-address", "--kubeconfig", "--config", "--node-name", "--state-dir", "--max-volumes",
			"--registration-dir", "--kubelet-endpoint", "--v", "--logging-format",
		}},
		{command: "probe", want: []string{"--endpoint", "--timeout"}},
	} {
		t.Run(test.command, func(t *testing.T) {
			command, help := newCommand(toCluster), bytes.Buffer{}
			command.SetOut(&help)
			command.SetArgs([]string{test.command, "--help"})
			if err := command.ExecuteContext(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, flag := range test.want {
				if !strings.Contains(help.String(), flag+" ") {
					t.Errorf("the help does not name %s:\n%s", flag, help.String())
				}
			}
		})
	}
}
