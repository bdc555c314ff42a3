// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/csi-topo/csi-topo/e2e/model"
)

var (
	// goType matches the type of a value in Gomega's output.
	goType     = regexp.MustCompile(`<[^>\n]*>:\s*`)
	wantedCode = regexp.MustCompile(`<codes\.Code>: (\d+)[^\n]*\nto equal\n\s*<codes\.Code>: (\d+)`)
)

// summary returns a failure of csi-sanity in one paragraph, with the answer in question.
func summary(failure string, last call) string {
	return "csi-sanity " + wanted(failure) + "; " + last.String() + "."
}

// wanted returns csi-sanity's expectation. The answer is reported with the call.
func wanted(failure string) string {
	if found := wantedCode.FindStringSubmatch(failure); found != nil {
		if number, err := strconv.ParseUint(found[2], 10, 32); err == nil {
			return "expected " + model.CodeName(codes.Code(number))
		}
	}
	switch {
	case strings.Contains(failure, "Expected an error to have occurred"):
		return "expected the call to be refused"
	case strings.Contains(failure, "Unexpected error:"):
		return "expected the call to succeed"
	}
	return "found: " + inWords(failure)
}

var (
	// goStruct matches the beginning of the internals of a protobuf message in Gomega's output, which are unreadable.
	goStruct = regexp.MustCompile(`state: \{\s*NoUnkeyedLiterals`)
	// goError matches an error in a list that Gomega shows.
	goError = regexp.MustCompile(`(?m)^\s*s: ("(?:[^"\\]|\\.)*"),?$`)
	// entries matches the number of values in a list.
	entries = regexp.MustCompile(`Expected\s*<\[\][^>\n]*\| len:(\d+)`)
	// howMany matches the expectation on a list.
	howMany = regexp.MustCompile(`(?m)^(to (?:be |have |contain |consist )[^\n]*)`)
)

// inWords returns a failed assertion of csi-sanity in one paragraph: the errors that it lists, each once, or its
// observation, without the internals of Go's values.
func inWords(failure string) string {
	const most = 300
	var errs []string
	for _, found := range goError.FindAllStringSubmatch(failure, -1) {
		if text, err := strconv.Unquote(found[1]); err == nil && !slices.Contains(errs, text) {
			errs = append(errs, text)
		}
	}
	if len(errs) > 0 {
		first, _, _ := strings.Cut(failure, "\n")
		return first + "\n" + strings.Join(errs, "\n")
	}
	if goStruct.MatchString(failure) {
		before, _, _ := strings.Cut(failure, "Expected\n")
		answered := "what it answered"
		if found := entries.FindStringSubmatch(failure); found != nil {
			answered += ", a list of " + found[1] + ","
		}
		failure = before + "Expected " + answered + " " + strings.Join(howMany.FindAllString(failure, 1), "")
	}
	text := strings.Join(strings.Fields(goType.ReplaceAllString(failure, "")), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + " …"
	}
	return text
}

// String describes the driver's answer in words.
func (c call) String() string {
	switch {
	case c.rpc == "":
		return "it had made no call"
	case c.err == nil:
		return c.rpc + " answered OK"
	default:
		return fmt.Sprintf("%s answered %s: %q", c.rpc, model.CodeName(c.code()), status.Convert(c.err).Message())
	}
}
