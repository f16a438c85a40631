#if DEBUG
  public import LocalData
#endif

/// A record with encrypted fields, whose other fields can be shown while an app is developed. Generated code conforms to it in debug
/// builds.
public protocol DebugDescribedRecord: StorageRecord {
  /// The fields that are not encrypted, by their names. Generated code declares it.
  var _plainFields: KeyValuePairs<String, Any?> { get }
}

#if DEBUG
  extension StorageRouter {
    /// Returns the plain fields of a record as text. Encrypted fields are left out, and release builds do not have the function.
    ///
    /// ```swift
    /// print(degree)                                // Credential(redacted)
    /// print(router.debugDescription(of: degree))   // Credential(id: "urn:1", issuedAt: 2026-11-27 09:00:00 +0000)
    /// ```
    ///
    /// - Parameter record: The record.
    /// - Returns: The name of the record, and its plain fields with their values.
    public nonisolated func debugDescription<Record: StorageRecord>(of record: Record) -> String {
      guard let fields = (record as? any DebugDescribedRecord)?._plainFields else { return String(describing: record) }
      let texts = fields.map { "\($0.key): \($0.value.map { String(reflecting: $0) } ?? "nil")" }
      return "\(Record.self)(\(texts.joined(separator: ", ")))"
    }
  }
#endif
