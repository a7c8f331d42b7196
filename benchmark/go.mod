module postern/benchmark

go 1.26
