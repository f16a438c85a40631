/// A style or a script of a page. Its text is a file of this package, which SwiftPM embeds in the tool.
struct HTMLResource: Sendable {
  /// The element that contains it.
  let element: StaticString
  let bytes: [UInt8]
  /// The source in a Content-Security-Policy that allows this text and no other: its SHA-256 in Base64. A test computes it.
  let policySource: StaticString

  /// The styles of audits.
  static let auditStyle = HTMLResource(
    element: "style", bytes: PackageResources.audit_css,
    policySource: "'sha256-dIoIv1rEOHX/RJ1VwMBKN1d6wNj6313rDpO5a9ZGlH4='")
  /// The script of audits: search, filters and sorting.
  static let auditScript = HTMLResource(
    element: "script", bytes: PackageResources.audit_js,
    policySource: "'sha256-CRdh3m+iD5YZE3GMQMoVvjBUdKmNKyp8UrGc+7dAa38='")
}
