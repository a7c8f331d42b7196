// Package conformance proves that a user of Elasticsearch can move to Postern: it
// holds traffic recorded from real engines and replays it.
//
//	recordings/   the traffic, one scenario a file, in folders by capability
//	expected/     the strict lists of differences that are known, with their reasons
//	recording/    the file format: reading, writing, rules
//	jsontree/     JSON that keeps the order of members and the digits of numbers
//	replay/       asking an engine, comparing and (re-)recording
//	engines/      launchers of the engines
//	traffic/      a proxy that records an application's own traffic
//	suite/        running many recordings, side by side
//	report/       outcomes as data, HTML, Markdown and JUnit XML
//	datasets/     questions over real data that packages ship
//	clients/      official clients doing a day's work
//	cmd/conformance  all of it on the command line
package conformance
