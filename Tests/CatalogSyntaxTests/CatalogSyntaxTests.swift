import Testing

@Suite struct CatalogSyntaxTests {}
