// Package faults spoils the network between a client and a server in tests: a proxy that
// cuts connections, holds messages back, delays them or swallows them. It knows where a
// message begins, so that "the answer is lost" means that the server has done its work.
package faults
