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
    policySource: "'sha256-nrrwXNXcgxzxkQCzHEoZnUY6x8JURrcl5olHjDoKPaU='")
  /// The script of audits: search, filters and sorting.
  static let auditScript = HTMLResource(
    element: "script", bytes: PackageResources.audit_js,
    policySource: "'sha256-qgR/wDgPj0+G8UpyxP+eC2YOyyvCx7fW96uSyvQYiA4='")
}
