extension CatalogRun {
  mutating func resolveMigrations() {}
}
