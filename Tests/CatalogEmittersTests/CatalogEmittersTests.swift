import Testing

@Suite struct CatalogEmittersTests {}
