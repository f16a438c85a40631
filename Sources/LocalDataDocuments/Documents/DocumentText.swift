import LocalDataModel
import LocalDataAudit

/// Text of a document. Whatever is not fixed is escaped by the writer of each format, so no caller can forget it.
enum DocumentText: ExpressibleByStringLiteral {
  /// Words of this package.
  case fixed(StaticString)
  /// Text that a catalog can contain.
  case author(String)
  /// A name with the address of its declaration, for formats that have links.
  case link(String, HTMLIdentifier)
  /// The address of a page that this package names, or the path of one of its own pages.
  case source(String)
  case outcome(Fate.Outcome)
  case answer(WeaknessAnswer.State)

  init(stringLiteral fixed: StaticString) { self = .fixed(fixed) }

  /// The words without links and marks.
  var text: String {
    switch self {
    case .fixed(let text): text.description
    case .author(let text), .link(let text, _), .source(let text): text
    case .outcome(let outcome): outcome.text
    case .answer(let state): state.text
    }
  }
}
