import Testing

@Suite struct LocalDataTests {}
