// SPDX-License-Identifier: Apache-2.0

package report

import (
	"path"
	"regexp"
	"strings"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/grpc/codes"
)

var (
	goFile      = regexp.MustCompile(`[\w.@/+-]+\.go:\d+`)
	goType      = regexp.MustCompile(`<(?:\*|\[\d*\]|map\[\w+\])*(?:\w+\.\w+(?: \| [^>\n]*)?>(?:: ?)?|(?:string|bool|nil|error|u?int\d*|float\d+)(?: \| [^>\n]*)?>: ?)`)
	goMatcher   = regexp.MustCompile(`%!s\(\*matchers\.\w+Matcher=&\{[^}]*\}\)`)
	statusError = regexp.MustCompile(`rpc error: code = (\w+) desc = `)
)

// largest is the greatest int64, which means "without limit" in requests and answers.
const largest = "9223372036854775807"

// plain returns a message in words that do not depend on the build: without Gomega's Go types and the builder's
// directories, and with gRPC codes in the specification's spelling.
func plain(message string) string {
	message = goFile.ReplaceAllStringFunc(message, belowModule)
	message = goMatcher.ReplaceAllStringFunc(message, matcherInWords)
	ofGomega := goType.MatchString(message)
	message = goType.ReplaceAllString(message, "")
	message = statusError.ReplaceAllStringFunc(message, func(found string) string {
		return codeName(statusError.FindStringSubmatch(found)[1]) + ": "
	})
	message = strings.ReplaceAll(message, largest, "2^63-1")
	if !ofGomega { // such as a request that names a topology twice
		return message
	}
	return strings.Join(withoutRepeats(message), "\n")
}

// withoutRepeats returns the lines of a message without lines that repeat the previous one, as in Gomega's errors, and
// without empty lines after a line that ends with a colon.
func withoutRepeats(message string) []string {
	var lines []string
	before := ""
	for line := range strings.Lines(message) {
		line = strings.TrimRight(line, " \t\n")
		text := strings.TrimSpace(line)
		if text != "" && text == before || text == "" && strings.HasSuffix(before, ":") {
			continue
		}
		lines, before = append(lines, line), text
	}
	return lines
}

// matcherInWords returns in words one of several matchers that Gomega prints as a Go value: BeNumerically >= [5].
func matcherInWords(value string) string {
	value = strings.TrimSuffix(strings.TrimPrefix(value, "%!s(*matchers."), "})")
	name, arguments, _ := strings.Cut(value, "Matcher=&{")
	return strings.TrimSpace(name + " " + arguments)
}

// belowModule returns the path of a file within its module: the suite's e2e/spec/…, or the path in another module with its
// name.
func belowModule(file string) string {
	if at := strings.LastIndex(file, "/e2e/"); at >= 0 {
		return file[at+1:]
	}
	if _, module, found := strings.Cut(file, "/pkg/mod/"); found {
		return module
	}
	if path.IsAbs(file) {
		return path.Base(file)
	}
	return file
}

// codeName returns the specification's name for the Go name of a code: ALREADY_EXISTS for AlreadyExists.
func codeName(name string) string {
	for number, known := range code.Code_name {
		if codes.Code(number).String() == name { //nolint:gosec // codes are small
			return known
		}
	}
	return name
}
