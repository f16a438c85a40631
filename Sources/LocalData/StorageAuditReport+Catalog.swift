public import StorageVocabulary

extension StorageAuditReport {
  /// The text audit of a catalog: every key it declares, whether anything is stored or not.
  ///
  ///     print(StorageAuditReport.renderText(for: AccountCatalog.self))
  public static func renderText(for catalog: (some StorageKeyCatalog).Type) -> String {
    renderText(for: catalog.descriptors, reserved: catalog.reservedNames)
  }

  /// The text audit of a catalog, and below it what was migrated on this device.
  ///
  ///     print(StorageAuditReport.renderText(for: AccountCatalog.self, history: try await router.migrations.history()))
  public static func renderText(
    for catalog: (some StorageKeyCatalog).Type, history: [MigrationRecord]
  ) -> String {
    let records = history.map { "  \($0)\n" }.joined()
    return renderText(for: catalog) + "\nMigrated on this device\n" + (records.isEmpty ? "  nothing\n" : records)
  }
}
