package datasets

import (
	"encoding/json"
	"fmt"
)

// set is one data set: a file of the package, the index it goes to, and its documents.
type set struct {
	file, index, body string // body: of the index's creation
	documents         func(text []byte) ([]json.RawMessage, error)
}

// known returns the data set called name, or false.
func known(name string) (set, bool) {
	switch name {
	case "movies":
		return set{"movies.json", "cf-data-movies", moviesBody, list}, true
	case "flights":
		return set{"flights-20k.json", "cf-data-flights", flightsBody, list}, true
	case "flights-200k":
		return set{"flights-200k.json", "cf-data-flights-200k", delaysBody, list}, true
	case "earthquakes":
		return set{"earthquakes.json", "cf-data-earthquakes", earthquakesBody, features}, true
	}
	return set{}, false
}

const moviesBody = `{"mappings":{"properties":{
	"Title":{"type":"text","fields":{"raw":{"type":"keyword"}}},
	"Release Date":{"type":"date","format":"MMM dd yyyy","locale":"en"},
	"MPAA Rating":{"type":"keyword"},
	"Distributor":{"type":"keyword"},
	"Source":{"type":"keyword"},
	"Major Genre":{"type":"keyword"},
	"Creative Type":{"type":"keyword"},
	"Director":{"type":"text","fields":{"raw":{"type":"keyword"}}},
	"IMDB Rating":{"type":"double"}}}}`

const flightsBody = `{"mappings":{"properties":{
	"date":{"type":"date","format":"yyyy/MM/dd HH:mm"},
	"delay":{"type":"short"},
	"distance":{"type":"integer"},
	"origin":{"type":"keyword"},
	"destination":{"type":"keyword"}}}}`

const delaysBody = `{"mappings":{"properties":{
	"delay":{"type":"integer"},"distance":{"type":"integer"},"time":{"type":"double"}}}}`

const earthquakesBody = `{"mappings":{"properties":{
	"id":{"type":"keyword"},
	"type":{"type":"keyword"},
	"geometry":{"properties":{"type":{"type":"keyword"},"coordinates":{"type":"geo_point"}}},
	"properties":{"properties":{
		"mag":{"type":"double"},
		"place":{"type":"text"},
		"time":{"type":"date"},
		"updated":{"type":"date"},
		"net":{"type":"keyword"},
		"magType":{"type":"keyword"},
		"status":{"type":"keyword"},
		"alert":{"type":"keyword"}}}}}}`

func list(text []byte) ([]json.RawMessage, error) {
	var documents []json.RawMessage
	err := json.Unmarshal(text, &documents)
	return documents, err
}

func features(text []byte) ([]json.RawMessage, error) {
	var collection struct{ Features []json.RawMessage }
	err := json.Unmarshal(text, &collection)
	if err == nil && len(collection.Features) == 0 {
		err = fmt.Errorf("no features")
	}
	return collection.Features, err
}
