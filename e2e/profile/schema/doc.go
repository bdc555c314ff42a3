// SPDX-License-Identifier: Apache-2.0

// Package schema is the JSON schema of a profile, for editors, and the description of each field, for authors of
// profiles and documentation. Both are generated from the types of e2e/profile and their comments: an indented block in
// a field's comment is an example of that field.
package schema

//go:generate go run ./generate
