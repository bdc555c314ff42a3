// SPDX-License-Identifier: Apache-2.0

// Package identity has the spec tier's cases about what a plugin reports about itself at each of its endpoints: its
// name and version, whether it is ready, and what it can do. Its claims must be consistent, and true. Each file has a
// behaviour with its variants.
package identity
