"""What a data scientist calls: arrays, frames or files in, answers out. Its names stand in `evalcore`."""
