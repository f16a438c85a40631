import Testing

@Suite struct ExampleKeysTests {}
