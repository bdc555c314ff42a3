// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		name  string
		given string
		want  invocation
	}{
		{
			"create, as containerd's shim calls it",
			"--root /run/r --log /b/log.json --log-format json create --bundle /b --pid-file /b/init.pid --console-socket /s name",
			invocation{command: "create", bundle: "/b"},
		},
		{
			"exec, as containerd's shim calls it",
			"--root /run/r --systemd-cgroup exec --process /tmp/p --console-socket /s --detach --pid-file /x name",
			invocation{command: "exec", process: "/tmp/p"},
		},
		{"joined values", "run --bundle=/b name", invocation{command: "run", bundle: "/b"}},
		{"short options", "exec -p /tmp/p -d name", invocation{command: "exec", process: "/tmp/p"}},
		{"the bundle is the working directory", "create name", invocation{command: "create"}},
		{"options of the command inside", "exec --tty name sh -p /etc/passwd", invocation{command: "exec"}},
		{"a value that looks like a command", "--log create delete name", invocation{command: "delete"}},
		{"nothing", "", invocation{}},
		{"a value is missing", "create --bundle", invocation{command: "create"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := parse(strings.Fields(test.given)); got != test.want {
				t.Errorf("parse(%q) = %+v, want %+v", test.given, got, test.want)
			}
		})
	}
}
