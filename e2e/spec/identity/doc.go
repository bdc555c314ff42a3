// SPDX-License-Identifier: Apache-2.0

// Package identity contains the spec tier's cases about a plugin's reports about itself at each of its endpoints: its name
// and version, its readiness, and its capabilities. Its claims must be consistent, and true. Each file contains one
// behaviour with its variants.
package identity
