// Package tour runs what the README tells a newcomer to type.
package tour
