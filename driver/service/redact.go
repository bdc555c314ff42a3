// SPDX-License-Identifier: Apache-2.0

package service

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"github.com/go-logr/logr"
	"github.com/kubernetes-csi/csi-lib-utils/protosanitizer"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"
	"google.golang.org/protobuf/reflect/protoreflect"
	"k8s.io/klog/v2"
)

const (
	// stripped stands where something was that may be secret; protosanitizer says the same.
	stripped = "***stripped***"
	// redactLimit is how many bytes of mount flags are looked for in a text: each
	// capability may have 4 KiB (CSI spec, MountVolume.mount_flags).
	redactLimit = 64 << 10
)

// loggable returns a request or response as one line of JSON, without secrets and
// without mount flags, which may be as secret (CSI spec, MountVolume.mount_flags).
func loggable(message any) string {
	if m, ok := message.(proto.Message); ok {
		m = proto.Clone(m)
		eachMount(m, func(mount *csi.VolumeCapability_MountVolume) {
			if len(mount.GetMountFlags()) > 0 {
				mount.MountFlags = []string{stripped}
			}
		})
		message = m
	}
	return protosanitizer.StripSecrets(message).String()
}

// eachMount calls visit for every mount capability that is anywhere in the message.
func eachMount(message proto.Message, visit func(*csi.VolumeCapability_MountVolume)) {
	// It fails only where visiting does.
	_ = protorange.Range(message.ProtoReflect(), func(at protopath.Values) error {
		if found, ok := at.Index(-1).Value.Interface().(protoreflect.Message); ok {
			if mount, ok := found.Interface().(*csi.VolumeCapability_MountVolume); ok {
				visit(mount)
			}
		}
		return nil
	})
}

// redaction takes the mount flags of one request out of a text, which may come
// from a command that was given them.
type redaction func(text string) string

func redactionFor(request any) redaction {
	pattern := sync.OnceValues(func() (*regexp.Regexp, bool) { return patternOf(mountFlags(request)) })
	return func(text string) string {
		flags, ok := pattern()
		switch {
		case !ok:
			return fmt.Sprintf("%s: the mount flags take more than %d bytes", stripped, redactLimit)
		case flags == nil:
			return text
		}
		return flags.ReplaceAllLiteralString(text, stripped)
	}
}

func mountFlags(request any) []string {
	message, ok := request.(proto.Message)
	if !ok {
		return nil
	}
	var flags []string
	eachMount(message, func(mount *csi.VolumeCapability_MountVolume) { flags = append(flags, mount.GetMountFlags()...) })
	return flags
}

// patternOf matches each of the flags, nil for none: as it is and as it is quoted,
// but not within a word, for "ro" is a flag. It is false for more than may be.
func patternOf(flags []string) (*regexp.Regexp, bool) {
	var texts []string
	total := 0
	for _, flag := range flags {
		if flag != "" {
			total += len(flag)
			texts = append(texts, flag, strings.Trim(strconv.Quote(flag), `"`))
		}
	}
	if len(texts) == 0 || total > redactLimit {
		return nil, len(texts) == 0
	}
	// The longest first, so that no rest of it stays.
	slices.SortFunc(texts, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	texts = slices.Compact(texts)
	for i, text := range texts {
		texts[i] = edge(text[0]) + regexp.QuoteMeta(text) + edge(text[len(text)-1])
	}
	return regexp.MustCompile(strings.Join(texts, "|")), true
}

// edge is the pattern of where a word ends, if the character is of a word.
func edge(character byte) string {
	if character == '_' || character < unicode.MaxASCII && (unicode.IsLetter(rune(character)) || unicode.IsDigit(rune(character))) {
		return `\b`
	}
	return ""
}

// status redacts what a call is refused with: an orchestrator shows it to users.
func (r redaction) status(err error) error {
	refused, ok := status.FromError(err)
	if !ok {
		refused = status.FromContextError(err) // as gRPC does with what is no status
	}
	answer := refused.Proto()
	answer.Message = shortened(r(answer.GetMessage()), messageLimit)
	return status.ErrorProto(answer)
}

// logger returns a logger that redacts what it is told.
func (r redaction) logger(logger klog.Logger) klog.Logger {
	sink := logger.WithCallDepth(1).GetSink()
	if sink == nil {
		return logger // which discards everything
	}
	return logger.WithSink(redactedSink{LogSink: sink, redact: r})
}

// redactedSink is a sink that redacts what it passes on.
type redactedSink struct {
	logr.LogSink
	redact redaction
}

// Info implements logr.LogSink.
func (s redactedSink) Info(level int, message string, keysAndValues ...any) {
	s.LogSink.Info(level, s.redact(message), s.values(keysAndValues)...)
}

// Error implements logr.LogSink.
func (s redactedSink) Error(err error, message string, keysAndValues ...any) {
	if err != nil {
		err = errors.New(s.redact(err.Error()))
	}
	s.LogSink.Error(err, s.redact(message), s.values(keysAndValues)...)
}

// WithValues implements logr.LogSink.
func (s redactedSink) WithValues(keysAndValues ...any) logr.LogSink {
	return redactedSink{LogSink: s.LogSink.WithValues(s.values(keysAndValues)...), redact: s.redact}
}

// WithName implements logr.LogSink.
func (s redactedSink) WithName(name string) logr.LogSink {
	return redactedSink{LogSink: s.LogSink.WithName(name), redact: s.redact}
}

// values leaves each value as it is whose text there is nothing to redact of.
func (s redactedSink) values(keysAndValues []any) []any {
	redacted := slices.Clone(keysAndValues)
	for i, value := range redacted {
		text := fmt.Sprint(value)
		if without := s.redact(text); without != text {
			redacted[i] = without
		}
	}
	return redacted
}
