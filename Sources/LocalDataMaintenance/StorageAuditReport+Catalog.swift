public import LocalData
@_exported public import LocalDataAudit

extension StorageAuditReport {
  /// Returns the audit of a catalog as text: every key that it declares, whether a value is stored or not.
  ///
  ///     print(StorageAuditReport.renderText(for: AccountCatalog.self))
  public static func renderText(for catalog: (some StorageKeyCatalog).Type) -> String {
    renderText(for: catalog.descriptors, reserved: catalog.reservedNames)
  }

  /// Returns the audit of a catalog as text, and below it the migrations on this device.
  ///
  ///     print(StorageAuditReport.renderText(for: AccountCatalog.self, history: try await router.migrations.history()))
  public static func renderText(
    for catalog: (some StorageKeyCatalog).Type, history: [MigrationEvent]
  ) -> String {
    let records = history.map { "  \($0)\n" }.joined()
    return renderText(for: catalog) + "\nMigrated on this device\n" + (records.isEmpty ? "  nothing\n" : records)
  }
}
