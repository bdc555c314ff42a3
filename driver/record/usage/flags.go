// SPDX-License-Identifier: Apache-2.0

package usage

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
)

const saltBytes = 16

// Flags are mount flags in a form that tells whether others are the same, but not
// what they are, because they may be secret (CSI spec, MountVolume.mount_flags).
// Each has a salt of its own, so that equal flags of two volumes do not look equal.
type Flags struct {
	Salt []byte `json:"salt"`
	Sum  []byte `json:"sum"`
}

// NewFlags returns the form in which the mount flags may be kept.
func NewFlags(flags []string) Flags {
	salt := make([]byte, saltBytes)
	_, _ = rand.Read(salt) // never fails, says its documentation
	return Flags{Salt: salt, Sum: sum(salt, flags)}
}

// Match tells whether they are these mount flags, in this order.
func (f Flags) Match(flags []string) bool {
	return hmac.Equal(f.Sum, sum(f.Salt, flags))
}

func sum(salt []byte, flags []string) []byte {
	hash := hmac.New(sha256.New, salt)
	for _, flag := range flags {
		// Its length before each, so that "a", "b" is not "ab".
		_, _ = hash.Write(binary.BigEndian.AppendUint64(nil, uint64(len(flag))))
		_, _ = hash.Write([]byte(flag))
	}
	return hash.Sum(nil)
}
