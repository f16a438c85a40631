import LocalDataModel

extension DocumentWriter where Self: ~Copyable {
  /// Writes the stores of other libraries, and what becomes of them.
  mutating func write(_ sources: [ResolvedSource]) {
    table("Imports", ["Source", "Where", "Values", "Description"]) { document in
      for source in sources {
        document.row(texts: [source.member, source.words, source.using?.text ?? "as stored", source.description])
      }
    }
  }
}

extension JSONForm<ResolvedSource> {
  static let source = Self.object([
    .required("line", .integer, \.line), .required("member", .text, \.member), .required("place", .text, \.words),
    .optional("using", .text, \.using?.text), .required("exclusive", .flag, \.isExclusive),
    .required("description", .text, \.description),
  ])
}
