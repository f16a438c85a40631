public import StorageVocabulary

extension StorageAuditReport {
  /// The text audit of a catalog: every key it declares, whether anything is stored or not.
  ///
  ///     print(StorageAuditReport.renderText(for: AccountCatalog.self))
  public static func renderText(for catalog: (some StorageKeyCatalog).Type) -> String {
    renderText(for: catalog.descriptors, reserved: catalog.reservedNames)
  }
}
