// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness"
	"github.com/csi-topo/csi-topo/e2e/suite"
	"github.com/csi-topo/csi-topo/e2e/verdict"
)

// place is where csi-sanity has a case: the innermost container's text, and the case's own.
type place struct {
	in, text string
}

// placeOf is the place of a case, before whose text the runner may have put its id.
func placeOf(spec ginkgo.SpecReport) place {
	in := ""
	if containers := spec.ContainerHierarchyTexts; len(containers) > 0 {
		in = containers[len(containers)-1]
	}
	return place{in, strings.TrimPrefix(spec.LeafNodeText, verdict.CaseID(spec.Labels())+" ")}
}

// judged returns the body of a case whose failure is a fail only where the answer contradicts the specification.
func (r *run) judged(body func()) func() {
	return func() {
		r.at, r.last, r.warned = placeOf(ginkgo.CurrentSpecReport()), call{}, false
		defer func() { r.at = place{} }()
		r.leaveOut()
		clear(r.pending)
		if failure := gomega.InterceptGomegaFailure(body); failure != nil {
			r.judge(failure.Error())
		}
	}
}

func (r *run) judge(failure string) {
	message := summary(failure, r.last)
	switch why, fails := harness.NoAnswer(r.last.err); {
	case fails:
		ginkgo.Fail(why)
	case why != "":
		verdict.CouldNotTell("%s", why)
	}
	if r.last.code() == codes.ResourceExhausted {
		verdict.Skip(suite.ByEnvironment, "%s\nThe driver has no room, or its quota is used up: what it would have done is not known.", message)
	}
	if why := untold(r.last.code()); why != "" {
		verdict.CouldNotTell("%s\n%s", message, why)
	}
	for _, a := range stricter {
		if a.is(r.at, r.last) {
			verdict.Warn("%s\n%s", message, a)
			return
		}
	}
	ginkgo.Fail(message)
}

// untold says why nothing follows of an answer; nothing where something does.
func untold(code codes.Code) string {
	switch code {
	case codes.Unauthenticated, codes.PermissionDenied:
		return "The profile may lack secrets."
	default:
		return ""
	}
}

// leaveOut skips the cases that another one stands for, or that cannot be asked of the driver as its profile describes it.
func (r *run) leaveOut() {
	switch r.at {
	case place{"ControllerPublishVolume", "should fail when publishing more volumes than the node max attach limit"}:
		verdict.Skip(suite.ByEnvironment, "the case attach_limit asks the same, with fewer volumes; csi-sanity has it off too")
	case place{"CreateVolume", "should create volume with a volume attribute class"},
		place{modifyVolume, "should fail if volume does not exist"},
		place{modifyVolume, "should modify a volume created without a volume attribute class"},
		place{modifyVolume, "should modify a volume created with a volume attribute class"}:
		if len(r.target.Profile.MutableParameters) == 0 {
			verdict.Skip(suite.ByProfile, "the profile has no mutableParameters, which ControllerModifyVolume needs")
		}
	}
}
