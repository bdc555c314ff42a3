//go:build linux

package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestBadUsage(t *testing.T) {
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
		{name: "registration without endpoint", given: []string{"node", "--node-name=n", "--registration-dir=/r"}, want: "need each other"},
		{name: "endpoint without registration", given: []string{"node", "--node-name=n", "--kubelet-endpoint=/s"}, want: "need each other"},
		{name: "empty endpoint", given: []string{"node", "--node-name=n", "--endpoint="}, want: "--endpoint and --data-dir must not be empty"},
		{name: "capacity that is no quantity", given: []string{"controller", "--capacity=much"}, want: `got "much"`},
		{name: "capacity of nothing", given: []string{"controller", "--capacity=0"}, want: "--capacity must be a positive quantity"},
		{name: "controller outside a cluster", given: []string{"controller"}, want: "has to run in a pod"},
		{name: "node outside a cluster", given: []string{"node", "--node-name=n"}, want: "has to run in a pod"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("KUBERNETES_SERVICE_HOST", "")
			command := newCommand()
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
		{command: "controller", want: []string{"--endpoint", "--data-dir", "--health-address", "--capacity", "--v"}},
		{command: "node", want: []string{
			"--endpoint", "--data-dir", "--health-address", "--node-name", "--max-volumes", "--registration-dir", "--kubelet-endpoint", "--v",
		}},
	} {
		t.Run(test.command, func(t *testing.T) {
			command, help := newCommand(), bytes.Buffer{}
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
