// SPDX-License-Identifier: Apache-2.0

package sanity

import (
	"fmt"
	"regexp"
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
	const most = 300
	text := strings.Join(strings.Fields(goType.ReplaceAllString(failure, "")), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + " …"
	}
	return "found: " + text
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
