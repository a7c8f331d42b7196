// Package clients runs official clients of several languages against Postern: each does
// a day's work of its users. Their programs stand in folders of their own.
package clients
