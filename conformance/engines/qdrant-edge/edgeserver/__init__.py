"""Qdrant's engine (qdrant-edge-py) behind Qdrant's own gRPC service definitions."""
