# Postern: one static program in an empty image, not run as root.
# Untested by our CI, which has no Docker; what it runs is held to the program's flags by cmd/postern/container_test.go.

FROM golang:1.26.8-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -o /postern ./cmd/postern
RUN install -d /owned/data && install -d -m 1777 /owned/tmp

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /postern /postern
COPY --from=build --chown=65532:65532 /owned/ /
USER 65532:65532
VOLUME /data
EXPOSE 9200
ENTRYPOINT ["/postern"]
# Beyond the container only where its port is published: keep that to 127.0.0.1 or a private network.
CMD ["serve", "--listen", "0.0.0.0:9200", "--insecure", "--data", "/data"]
