import Testing

@Suite struct LocalDataToolTests {}
