// Package identity has the spec tier's cases on what a plugin says of itself, at each of its endpoints: who it is, that it is
// ready, and what it can do. What it claims has to agree, and to be true. Each case is in a file of its name.
package identity
