import Testing

@Suite struct CatalogModelTests {}
