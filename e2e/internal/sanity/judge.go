// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"context"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"google.golang.org/grpc/codes"

	"github.com/csi-topo/csi-topo/e2e/spec/harness/attempt"
	"github.com/csi-topo/csi-topo/e2e/suite"
)

// place identifies a case of csi-sanity: the innermost container's text, and the case's own.
type place struct {
	in, text string
}

// placeOf returns the place of a case. The runner may have put an id before its text.
func placeOf(spec ginkgo.SpecReport) place {
	in := ""
	if containers := spec.ContainerHierarchyTexts; len(containers) > 0 {
		in = containers[len(containers)-1]
	}
	return place{in, strings.TrimPrefix(spec.LeafNodeText, idOf(spec)+" ")}
}

// body runs the body of a case. A failure is a fail only if the answer contradicts the specification.
func (r *run) body(body func()) {
	r.at, r.last, r.warned = placeOf(ginkgo.CurrentSpecReport()), call{}, false
	defer func() { r.at = place{} }()
	clear(r.pending)
	r.spec.Node(func() {
		r.leaveOut()
		body()
	}, r.judge)
}

func (r *run) judge(failure string) {
	message := r.mustTell(r.last, summary(failure, r.last))
	for _, a := range stricter {
		if a.is(r.at, r.last) {
			r.warn(context.Background(), "%s\n%s", message, a)
			return
		}
	}
	suite.FailAbout(nil, "%s", message)
}

// mustTell ends the case if the answer of the call is inconclusive, and otherwise returns the message with advice.
func (r *run) mustTell(c call, message string) string {
	if c.request != nil {
		if advice := r.target.Advice(c.request, c.err); advice != "" {
			message += "\n" + advice
		}
	}
	if why, fails := attempt.WhyUnanswered(c.err); fails {
		suite.FailAbout(nil, "%s", why)
	}
	attempt.MustBeAnswered(c.err)
	r.lent.MustBeUntouched(message)
	if why := r.target.Unusable(c.rpc, c.err); why != "" {
		suite.CouldNotTell("%s", why)
	}
	if c.code() == codes.ResourceExhausted {
		suite.Skip(suite.ByEnvironment, "%s\nThe driver has no room, or its quota is used up: what it would have done is not known.", message)
	}
	if why := untold(c.code()); why != "" {
		suite.CouldNotTell("%s\n%s", message, why)
	}
	return message
}

// untold returns the reason why an answer is inconclusive; "" if it is conclusive.
func untold(code codes.Code) string {
	switch code {
	case codes.Unauthenticated, codes.PermissionDenied:
		return "The profile may lack secrets."
	default:
		return ""
	}
}

// leaveOut skips cases that another case covers, or that do not apply to the driver according to its profile.
func (r *run) leaveOut() {
	switch r.at {
	case place{"ControllerPublishVolume", "should fail when publishing more volumes than the node max attach limit"}:
		suite.Skip(suite.ByEnvironment, "the case attach_limit checks the same, with fewer volumes; csi-sanity has it off by default too")
	case place{"CreateVolume", "should create volume with a volume attribute class"},
		place{modifyVolume, "should fail if volume does not exist"},
		place{modifyVolume, "should modify a volume created without a volume attribute class"},
		place{modifyVolume, "should modify a volume created with a volume attribute class"}:
		if len(r.target.Profile.MutableParameters) == 0 {
			suite.Skip(suite.ByProfile, "the profile has no mutableParameters, which ControllerModifyVolume needs")
		}
	}
}

// warn records a warning of the running case.
func (r *run) warn(ctx context.Context, text string, args ...any) {
	suite.WarnAbout(suite.With(ctx, &r.spec.Outcome), nil, text, args...)
}
