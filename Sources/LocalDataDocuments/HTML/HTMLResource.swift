/// A style or a script of a page. Its text is a file of this package, which is part of the tool.
///
/// People read and lint `audit.css` and `audit.js`. ``HTMLResourceText`` has the same text as literals, because SwiftPM cannot
/// embed files in every build of Xcode.
struct HTMLResource: Sendable {
  /// The element that contains it.
  let element: StaticString
  let text: StaticString
  /// The source in a Content-Security-Policy that allows this text and no other.
  let policySource: String

  /// The styles of audits.
  static let auditStyle = HTMLResource("style", HTMLResourceText.style)
  /// The script of audits: search, filters and sorting.
  static let auditScript = HTMLResource("script", HTMLResourceText.script)

  private init(_ element: StaticString, _ text: StaticString) {
    (self.element, self.text) = (element, text)
    policySource = "'sha256-\(SHA256Hash.base64(of: Array(text.description.utf8)))'"
  }
}
