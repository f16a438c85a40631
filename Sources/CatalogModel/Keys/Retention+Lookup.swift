import StorageVocabulary

extension Retention.Kind {
  /// The case that a value which stands alone was probably meant for.
  static func nameOfPayload(_ text: String) -> String? {
    if Retention.seconds(text) != nil { return Retention.Kind.maxAge.text }
    return Retention.End.names.find(text) == nil ? nil : Retention.Kind.until.text
  }
}
