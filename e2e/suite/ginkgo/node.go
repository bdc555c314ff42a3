// SPDX-License-Identifier: Apache-2.0

package ginkgo

import (
	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Spec is one case of a guest while Ginkgo runs it.
type Spec struct {
	// Outcome keeps the findings of the case.
	suite.Outcome

	left bool // by ginkgo.Skip
}

// Node runs the body of a node of the spec, where functions of package suite may end the case as well: the outcome keeps the
// findings, and Ginkgo continues or ends the spec accordingly. failed judges an assertion that failed.
func (s *Spec) Node(body func(), failed func(assertion string)) {
	said := suite.Outcome{Edit: s.Edit}
	var left any
	said.Run(func() {
		failure := gomega.InterceptGomegaFailure(func() {
			defer func() {
				switch cause := recover().(type) {
				case nil:
				case types.GinkgoError: // of ginkgo.Skip: left for Ginkgo to see
					left = cause
				default:
					panic(cause)
				}
			}()
			body()
		})
		if failure != nil {
			failed(failure.Error())
		}
	})
	if left != nil {
		s.left = true
		panic(left)
	}
	if s.left { // the clean-up of a spec that skipped itself may be for a set-up that never happened
		return
	}
	s.Then(&said)
	if said.End == nil {
		return
	}
	if said.End.Verdict == suite.Skipped || said.End.Reason == suite.NotRun {
		ginkgo.Skip(said.End.Message)
	}
	ginkgo.Fail(said.End.Message)
}

// Ended completes the outcome from the report of the spec: only Ginkgo knows that the spec skipped itself, as
// csi-sanity does if a driver lacks a capability, or that its suite leaves it out.
func (s *Spec) Ended(spec types.SpecReport) {
	if s.End != nil {
		return
	}
	switch spec.State {
	case types.SpecStatePassed:
	case types.SpecStatePending:
		s.EndBy(suite.Mark{Verdict: suite.Skipped, DecidedBy: suite.ByEnvironment, Message: "its suite marks it as pending"})
	case types.SpecStateSkipped:
		s.EndBy(suite.Mark{Verdict: suite.Skipped, DecidedBy: suite.ByCapability, Message: spec.Failure.Message})
	default:
		s.EndBy(suite.Mark{Verdict: suite.Errored, Reason: suite.CouldNot, Message: spec.Failure.Message})
	}
}
