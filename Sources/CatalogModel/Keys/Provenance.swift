package import CatalogSyntax

/// The origin of a field's value.
package enum Origin: Sendable {
  /// The key writes it, here.
  case key(SourcePlace)
  /// The key inherits it from `defaults`, which writes it here.
  case defaults(SourcePlace)
  /// It is what the language says if a catalog says nothing.
  case language
}

/// A field as a key writes it, over what `defaults` writes.
///
/// Decoding starts from the decoded value of `defaults`, so origins are not stored: they are found by the same rule when
/// someone asks. A part of `domain` and `security` is inherited if both write the same case.
struct Layers {
  var own: SyntaxNode?
  var inherited: SyntaxNode?

  init(_ field: String, of body: SyntaxNode, over defaults: SyntaxNode?) {
    own = body.value(of: field)
    inherited = defaults?.value(of: field)
  }

  /// Returns where the field, or a part of it, is written.
  func origin(of path: some Sequence<String>) -> Origin {
    var (own, inherited) = (own, inherited)
    for part in path {
      if let name = own?.caseName, inherited?.caseName != name { inherited = nil }
      own = own?.payload?.value(of: part)
      inherited = inherited?.payload?.value(of: part)
    }
    if let own { return .key(own.place) }
    return inherited.map { .defaults($0.place) } ?? .language
  }
}

extension SyntaxNode {
  /// The name of the case, in a value that is one of several cases.
  fileprivate var caseName: String? { kind == .scalar ? text : onlyField?.key.text }

  /// The fields of a case; of a map that is not a case, the map itself.
  fileprivate var payload: SyntaxNode? {
    guard let (_, value) = onlyField, value.kind == .mapping else { return kind == .mapping ? self : nil }
    return value
  }
}

extension DecodedKey {
  /// Returns where a field, or a part of it, is written.
  ///
  /// - Parameter path: The names of the field and of its parts: `["security", "accessibility"]`.
  func origin(of path: [String], defaults: SyntaxNode?) -> Origin {
    guard let field = path.first, let position = Language.key.position(of: field) else { return .language }
    let isInheritable = Language.inheritable.contains(FieldSet(position: position))
    return Layers(field, of: body, over: isInheritable ? defaults : nil).origin(of: path.dropFirst())
  }
}
