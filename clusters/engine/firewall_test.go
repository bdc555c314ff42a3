// SPDX-License-Identifier: Apache-2.0

package engine

import "testing"

const dockerFilter = `*filter
:INPUT ACCEPT [0:0]
:FORWARD DROP [7:420]
:OUTPUT ACCEPT [0:0]
:DOCKER - [0:0]
:DOCKER-USER - [0:0]
-A FORWARD -j DOCKER-USER
-A FORWARD -o br-1 -j DOCKER
-A FORWARD -p tcp -j ACCEPT
-A DOCKER-USER -j RETURN
COMMIT
`

const dockerNat = `*nat
:PREROUTING ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:DOCKER - [0:0]
-A PREROUTING -m addrtype --dst-type LOCAL -j DOCKER
-A OUTPUT ! -d 127.0.0.0/8 -m addrtype --dst-type LOCAL -j DOCKER
COMMIT
`

func TestUndoFirewall(t *testing.T) {
	for _, test := range []struct {
		name   string
		before string
		now    string
		want   string
	}{
		{"nothing happened", "", "", ""},
		{
			"tables that were unused go back to accepting", "", "# a comment\n" + dockerFilter + dockerNat,
			`*filter
-D FORWARD -j DOCKER-USER
-D FORWARD -o br-1 -j DOCKER
-F DOCKER
-F DOCKER-USER
-X DOCKER
-X DOCKER-USER
-P FORWARD ACCEPT
COMMIT
*nat
-D PREROUTING -m addrtype --dst-type LOCAL -j DOCKER
-D OUTPUT ! -d 127.0.0.0/8 -m addrtype --dst-type LOCAL -j DOCKER
-F DOCKER
-X DOCKER
COMMIT
`,
		},
		{
			"a host that denied forwarding goes on denying it",
			"*filter\n:FORWARD DROP [0:0]\nCOMMIT\n",
			"*filter\n:FORWARD DROP [0:0]\n:DOCKER - [0:0]\nCOMMIT\n",
			"*filter\n-F DOCKER\n-X DOCKER\nCOMMIT\n",
		},
		{
			"a host that forwarded forwards again",
			"*filter\n:FORWARD ACCEPT [0:0]\nCOMMIT\n",
			"*filter\n:FORWARD DROP [0:0]\nCOMMIT\n",
			"*filter\n-P FORWARD ACCEPT\nCOMMIT\n",
		},
		{"chains of an earlier Docker stay", dockerFilter + dockerNat, dockerFilter + dockerNat, ""},
		{
			"what others added stays", "*filter\n:FORWARD ACCEPT [0:0]\nCOMMIT\n",
			"*filter\n:FORWARD ACCEPT [0:0]\n:INPUT DROP [0:0]\n:ufw - [0:0]\n-A FORWARD -j ufw\n-A ufw -g ufw\nCOMMIT\n", "",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := undoFirewall(test.before, test.now); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}
