import LocalDataSyntax

/// What a project says about the processing of personal data for one purpose: the parts of a record of processing activities
/// (GDPR, Article 30) that catalogs do not declare.
package struct Processing: Sendable, Hashable {
  /// The legal bases of GDPR, Article 6(1).
  package enum Basis: String, Sendable, CaseIterable {
    case consent, contract, legalObligation, vitalInterests, publicTask, legitimateInterests
  }

  package var purpose: ResolvedPrivacy.Purpose
  package var basis: Basis?
  /// The categories of people that the data is about.
  package var subjects: [String] = []
  /// The categories of recipients.
  package var recipients: [String] = []

  package init(_ purpose: ResolvedPrivacy.Purpose) { self.purpose = purpose }

  /// Decodes the list of a project file. A purpose is listed once.
  static func decode(_ node: SyntaxNode?, _ context: inout DecodingContext) -> [Processing] {
    let table = Language.processing
    guard let node, context.sequence(node, "a list of purposes", example: "processing: [\(table.example)]") else {
      return []
    }
    var first: [ResolvedPrivacy.Purpose: SyntaxNode] = [:]
    return node.children.compactMap { child in
      guard let processing = table.record(child, Processing(.other), &context) else { return nil }
      if let earlier = first.updateValue(child, forKey: processing.purpose) {
        context.findings.report(
          .duplicateEntry, "the purpose '\(processing.purpose.rawValue)' is listed twice", at: child,
          help: "join the two entries", notes: [.init("the first one", at: earlier.start)])
      }
      return processing
    }
  }
}

extension Processing.Basis: CaseName {
  static let names = NameTable<Self>()
}

extension Language {
  /// The fields of an entry of `processing`.
  static let processing = FieldTable<Processing>(
    "an entry of 'processing'", what: "a map with 'purpose'",
    example: "{purpose: appFunctionality, basis: contract, subjects: [customers], recipients: [card issuer]}",
    [
      Field(
        "purpose", .word("a purpose"), .required, "The purpose, as `privacy` of a key names it.",
        example: "appFunctionality"
      ) { $0.purpose = $1 },
      Field(
        "basis", .word("a legal basis"), .optional("not declared"),
        "The legal basis of the processing, of those in GDPR, Article 6(1).", example: "contract"
      ) { $0.basis = $1 },
      Field(
        "subjects", .texts("a list of categories of people"), .optional("not declared"),
        "The categories of people that the data is about.", example: "[customers]"
      ) { $0.subjects = $1 },
      Field(
        "recipients", .texts("a list of categories of recipients"), .optional("not declared"),
        "The categories of recipients that the data is disclosed to.", example: "[card issuer]"
      ) { $0.recipients = $1 },
    ])
}
