package import LocalDataSyntax
import LocalDataVocabulary

/// A key with its places. If a field has findings, `resolved` has a stand-in for it that no rule looks at.
///
/// A class, since it has some thirty references in it, and every rule looks at each of ten thousand.
final class DecodedKey {
  var resolved: ResolvedKey
  /// The key's name in the catalog.
  let member: SyntaxNode
  /// The map of its fields.
  let body: SyntaxNode
  /// Fields with findings: nothing that follows from them is reported.
  let failed: KeyFieldSet
  /// Fields that the key wrote itself.
  let own: KeyFieldSet
  /// A Boolean value that indicates whether the type is a list or a set of an enum.
  let hasEnumElements: Bool
  let migrationNode: SyntaxNode?
  let upgrades: [UpgradeStep]
  /// The findings that the key accepts.
  let allowances: [Allowance]
  /// The hash of its place, taken where keys are decoded side by side: no two places are compared unless it is the same.
  let placeHash: Int

  init(resolved: ResolvedKey, member: SyntaxNode, body: SyntaxNode, draft: KeyDraft, hasEnumElements: Bool = false) {
    self.resolved = resolved
    self.member = member
    self.body = body
    failed = draft.failed
    own = draft.own
    self.hasEnumElements = hasEnumElements
    migrationNode = draft.migrationNode
    upgrades = draft.upgrades
    allowances = draft.allowances
    placeHash = resolved.place.hashValue
  }

  func isSound(_ fields: KeyFieldSet) -> Bool { failed.isDisjoint(with: fields) }

  /// Returns the node that writes a field: in the key or in `defaults`. If neither does, returns the key's name.
  func node(of field: KeyField, defaults: SyntaxNode?) -> SyntaxNode {
    if own.contains(field) { return body.value(of: field.text) ?? member }
    return defaults?.value(of: field.text) ?? member
  }
}

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
    var own = own
    var inherited = inherited
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
    guard let field = path.first else { return .language }
    guard let position = Language.key.position(of: field) else {
      // A field that only key pairs have.
      return Layers(field, of: body, over: nil).origin(of: path.dropFirst())
    }
    let inheritable = resolved.descriptor.signing == nil ? Language.inheritable : SigningKeyDecoder.inheritable
    let isInheritable = inheritable.contains(FieldSet(position: position))
    return Layers(field, of: body, over: isInheritable ? defaults : nil).origin(of: path.dropFirst())
  }
}

extension Findings {
  /// Makes the findings of a rule that compares keys findings of one of them.
  mutating func about(_ key: DecodedKey?, _ report: (inout Findings) -> Void) {
    let outer = self.key
    self.key = key.map { Key(member: $0.member, body: $0.body) }
    report(&self)
    self.key = outer
  }
}

extension DecodedKey {
  private static let fieldsOfPlace = KeyFieldSet(.name, .domain, .parameters)

  var hasPlace: Bool { isSound(Self.fieldsOfPlace) }

  var place: StoredPlace { resolved.place }
}

extension ResolvedKey {
  fileprivate var place: StoredPlace {
    StoredPlace(descriptor.domain, name: parameters.runtimeName(descriptor.name, in: descriptor.domain))
  }
}
