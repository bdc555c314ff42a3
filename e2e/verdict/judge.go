// SPDX-License-Identifier: Apache-2.0

package verdict

import (
	"fmt"
	"strings"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/csi-topo/csi-topo/e2e/suite"
)

// Judgement is a finished case's verdict. Reason is short and empty for a plain pass or fail; a pass that has one showed
// less than the case does in full. Message is the full text of a failure, an error or a warning.
type Judgement struct {
	Verdict   suite.Verdict
	DecidedBy suite.DecidedBy
	Reason    string
	Message   string
}

// Judge reads a finished case's verdict from its state, from the node in which it ended and from its marks.
//
// An assertion that fails in the case's own body is a fail; one that fails while setting up or cleaning up is an error,
// because it says nothing of the behaviour asked about. So are a panic, a timeout and an interrupt. A fail stays a fail
// when the clean-up then fails as well. A warning gives way to a fail and an error only.
//
// A case that Ginkgo skipped without a mark was skipped by ginkgo.Skip, which csi-sanity calls when the driver lacks a
// capability; else it never began.
func Judge(spec types.SpecReport) Judgement {
	judged := judgeState(spec)
	if judged.Verdict != suite.Passed && judged.Verdict != suite.Skipped {
		return judged
	}
	if warnings := messages(spec, suite.Warned); len(warnings) > 0 {
		return Judgement{Verdict: suite.Warned, Message: strings.Join(warnings, "\n")}
	}
	if reductions := messages(spec, suite.Passed); judged.Verdict == suite.Passed && len(reductions) > 0 {
		return Judgement{Verdict: suite.Passed, DecidedBy: suite.ByEnvironment, Reason: strings.Join(reductions, "; ")}
	}
	return judged
}

func judgeState(spec types.SpecReport) Judgement {
	switch spec.State {
	case types.SpecStatePassed:
		return Judgement{Verdict: suite.Passed}
	case types.SpecStateSkipped:
		return judgeSkipped(spec)
	case types.SpecStateFailed:
		return judgeFailed(spec)
	case types.SpecStatePanicked:
		return Judgement{Verdict: suite.Errored, Reason: "panicked", Message: failureText(spec)}
	case types.SpecStateTimedout:
		return Judgement{Verdict: suite.Errored, Reason: "timed out", Message: failureText(spec)}
	case types.SpecStateInterrupted:
		return Judgement{Verdict: suite.Errored, Reason: "interrupted", Message: interruptedText(spec)}
	case types.SpecStatePending:
		return judgePending(spec)
	default:
		return Judgement{Verdict: suite.Errored, Reason: spec.State.String(), Message: failureText(spec)}
	}
}

// judgePending is of a case that is not to run as yet. Of another suite's that is no concern of the driver under test.
func judgePending(spec types.SpecReport) Judgement {
	if len(Requirements(spec.Labels())) == 0 {
		return Judgement{Verdict: suite.Skipped, DecidedBy: suite.ByEnvironment, Reason: "its suite marks it as pending"}
	}
	return Judgement{Verdict: suite.Errored, Reason: "marked as pending in the suite"}
}

func judgeFailed(spec types.SpecReport) Judgement {
	message := failureText(spec)
	for _, m := range marks(spec) {
		if m.Verdict == suite.Errored && m.Message == spec.Failure.Message {
			return Judgement{Verdict: suite.Errored, Reason: "could not tell", Message: message}
		}
		if m.Verdict == suite.Failed && m.Message == spec.Failure.Message {
			return Judgement{Verdict: suite.Failed, Message: message} // in a clean-up too: the driver may die of that
		}
	}
	switch node := spec.Failure.FailureNodeType; {
	case node == types.NodeTypeIt:
		return Judgement{Verdict: suite.Failed, Message: message}
	case node.Is(cleanUpNodes):
		return Judgement{Verdict: suite.Errored, Reason: "clean-up failed", Message: message}
	default:
		return Judgement{Verdict: suite.Errored, Reason: "set-up failed", Message: message}
	}
}

func judgeSkipped(spec types.SpecReport) Judgement {
	for _, m := range marks(spec) {
		if m.Verdict == suite.Errored {
			return leftOut(m.Message)
		}
		if m.Verdict == suite.Skipped {
			return Judgement{Verdict: suite.Skipped, DecidedBy: m.DecidedBy, Reason: m.Message}
		}
	}
	if len(spec.Failure.Location.FullStackTrace) > 0 {
		return Judgement{Verdict: suite.Skipped, DecidedBy: suite.ByCapability, Reason: spec.Failure.Message}
	}
	return leftOut(spec.Failure.Message)
}

// leftOut is the judgement of a case that was asked for and never began.
func leftOut(why string) Judgement {
	if why == "" {
		why = "the run ended before this case began"
	}
	return Judgement{Verdict: suite.Errored, Reason: suite.NotRun, Message: why}
}

const cleanUpNodes = types.NodeTypeAfterEach | types.NodeTypeJustAfterEach | types.NodeTypeAfterAll | types.NodeTypeAfterSuite |
	types.NodeTypeSynchronizedAfterSuite | types.NodeTypeCleanupAfterEach | types.NodeTypeCleanupAfterAll | types.NodeTypeCleanupAfterSuite

func messages(spec types.SpecReport, of suite.Verdict) []string {
	var found []string
	for _, m := range marks(spec) {
		if m.Verdict == of {
			found = append(found, m.Message)
		}
	}
	return found
}

// failureText is a case's failure and whatever failed after it, each with the line that says where.
func failureText(spec types.SpecReport) string {
	texts := []string{describe(spec.Failure, whereDecided(spec))}
	if also := spec.Failure.AdditionalFailure; also != nil {
		texts = append(texts, describe(also.Failure, whereDecided(spec)))
	}
	for _, also := range spec.AdditionalFailures {
		texts = append(texts, fmt.Sprintf("then, in %s: %s", also.Failure.FailureNodeType, describe(also.Failure, whereDecided(spec))))
	}
	return strings.Join(texts, "\n")
}

// interruptedText leaves out where Ginkgo was then, which says nothing.
func interruptedText(spec types.SpecReport) string {
	spec.Failure.Location = types.CodeLocation{}
	return failureText(spec)
}

// whereDecided tells for each message of a mark where the suite decided so.
func whereDecided(spec types.SpecReport) map[string]string {
	at := map[string]string{}
	for _, m := range marks(spec) {
		if m.At != "" {
			at[m.Message] = m.At
		}
	}
	return at
}

func describe(failure types.Failure, at map[string]string) string {
	text := failure.Message
	if failure.ForwardedPanic != "" {
		text += ": " + failure.ForwardedPanic
	}
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimRight(line, " \t\n"))
	}
	text = strings.TrimRight(strings.Join(lines, "\n"), "\n")
	switch where := at[failure.Message]; {
	case where != "":
		return text + "\nat " + where
	case failure.Location.FileName != "":
		return text + "\nat " + failure.Location.String()
	default:
		return text
	}
}
