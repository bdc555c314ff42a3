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
	// goType is how Gomega shows the type of a value.
	goType     = regexp.MustCompile(`<[^>\n]*>:\s*`)
	wantedCode = regexp.MustCompile(`<codes\.Code>: (\d+)[^\n]*\nto equal\n\s*<codes\.Code>: (\d+)`)
)

// summary is a failure of csi-sanity in one paragraph, with the answer that it is about.
func summary(failure string, last call) string {
	return "csi-sanity " + wanted(failure) + "; " + last.String() + "."
}

// wanted is what csi-sanity expected. What a call answered is told with the call.
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
	// goStruct begins where Gomega shows what a message of protobuf is made of, which nobody can read.
	goStruct = regexp.MustCompile(`state: \{\s*NoUnkeyedLiterals`)
	// goError is an error in a list that Gomega shows.
	goError = regexp.MustCompile(`(?m)^\s*s: ("(?:[^"\\]|\\.)*"),?$`)
	// entries is how many values a list has.
	entries = regexp.MustCompile(`Expected\s*<\[\][^>\n]*\| len:(\d+)`)
	// howMany is what was expected of a list.
	howMany = regexp.MustCompile(`(?m)^(to (?:be |have |contain |consist )[^\n]*)`)
)

// inWords is an assertion of csi-sanity that failed, in a paragraph: the errors that it lists, each once, or what it found, without
// the insides of Go's values.
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

// String says in words what the driver answered.
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
