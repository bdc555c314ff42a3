// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"errors"
	"fmt"

	"github.com/onsi/ginkgo/v2"
	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// Lent are connections for the calls of another suite: as the calls of a case, they have limits and are repeated, while the
// context is Tolerant. What they make is the other suite's to remove.
type Lent struct {
	Controller grpc.ClientConnInterface
	Nodes      []grpc.ClientConnInterface

	suite  *Suite
	driver *Driver
}

// Lend returns connections to the controller and the nodes for another suite.
func (s *Suite) Lend() *Lent {
	d := connect(s.target, &s.health, "")
	lent := &Lent{Controller: connection{s.target.Controller, "the controller", d}, suite: s, driver: d}
	for i, conn := range s.target.Nodes {
		lent.Nodes = append(lent.Nodes, connection{conn, fmt.Sprintf("node endpoint %d", i+1), d})
	}
	return lent
}

// Follow has the calls of each case of the container around it recorded, and leaves out each that begins when the driver
// has stopped answering.
func (l *Lent) Follow() {
	ginkgo.BeforeEach(func(ctx ginkgo.SpecContext) {
		if why := l.suite.health.stoppedSince(); why != "" {
			verdict.LeaveOut("%s", why)
		}
		id := verdict.CaseID(ctx.SpecReport().Labels())
		l.suite.health.begin(id)
		calls := &callLog{caseID: id}
		l.driver.calls = calls
		verdict.Calls(calls.lines)
		verdict.Place(func() suite.Placement { return calls.placement(l.driver.segments) })
	})
}

// NoAnswer says why a call of a lent connection has no answer to judge, and whether the driver fails by that. It is empty
// for an answer.
func NoAnswer(err error) (why string, fails bool) {
	var none *noAnswer
	if !errors.As(err, &none) {
		return "", false
	}
	return none.text, none.fails
}
