// Package datasets loads real data, which packages ship, into an engine. The data is
// fetched when a test needs it and is kept in a cache; it is never committed.
//
// All of it is from the npm package vega-datasets 3.2.1 (BSD-3-Clause).
package datasets
