// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"context"
	"fmt"

	"google.golang.org/grpc"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Lent are connections for the calls of another suite: as the calls of a case, they have limits and are repeated, while the
// context is Tolerant. What they make is the other suite's to remove, until GiveBack.
type Lent struct {
	Controller grpc.ClientConnInterface
	Nodes      []grpc.ClientConnInterface

	suite  *Suite
	driver *Driver
}

// Lend returns connections to the controller and the nodes for another suite.
func (s *Suite) Lend() *Lent {
	d := s.connect("")
	lent := &Lent{Controller: connection{s.target.Controller, "the controller", d}, suite: s, driver: d}
	for i, conn := range s.target.Nodes {
		lent.Nodes = append(lent.Nodes, connection{conn, fmt.Sprintf("node endpoint %d", i+1), d})
	}
	return lent
}

// Follow records the calls from now on as the case's of that id, and returns how to read them, and where its volumes were.
func (l *Lent) Follow(id string) (suite.Recording, suite.Placing) {
	calls := l.suite.logOf(id)
	l.driver.calls = calls
	return calls, calls.Placement
}

// MustAnswer leaves the case out that begins when the driver has stopped answering.
func (l *Lent) MustAnswer() {
	l.suite.health.MustAnswer()
	l.suite.health.Begin(l.driver.calls.CaseID)
}

// GiveBack removes what the other suite left in the driver.
func (l *Lent) GiveBack(ctx context.Context) {
	cleaning, cancel := suite.CleanUp(ctx, l.suite.target.Timeouts.Cleanup)
	defer cancel()
	if l.driver.StartOver(cleaning) != nil {
		l.suite.health.Leave(l.driver.ledger.Clear()) // it is named at the end of the run
	}
}
