import CatalogSyntax
import StorageVocabulary

/// `security:`. Leaves that the same case has in `defaults` are inherited one by one.
extension CatalogDecoder {
  private enum SecurityField: UInt8, FieldName {
    case accessibility, accessControl, algorithm, keyDerivation, keySource

    static let names = NameTable<Self>()
  }

  private struct SecurityLeaves {
    /// A leaf as the key writes it and as `defaults` does; the key's counts.
    struct Leaf {
      var own: SyntaxNode?
      var base: SyntaxNode?

      var node: SyntaxNode? { own ?? base }
      /// What the key's own leaf may inherit from.
      var inherited: SyntaxNode? { own == nil ? nil : base }
    }

    var accessibility = Leaf()
    var accessControl = Leaf()
    var algorithm = Leaf()
    var keyDerivation = Leaf()
    var keySource = Leaf()

    mutating func set(_ field: SecurityField, _ change: (inout Leaf) -> Void) {
      switch field {
      case .accessibility: change(&accessibility)
      case .accessControl: change(&accessControl)
      case .algorithm: change(&algorithm)
      case .keyDerivation: change(&keyDerivation)
      case .keySource: change(&keySource)
      }
    }
  }

  mutating func security(_ node: SyntaxNode, inherited: SyntaxNode?) -> SecurityPolicy? {
    guard
      let form: CaseNode<SecurityPolicy.Kind> = caseNode(node, "a security policy", example: "security: recommended")
    else { return nil }
    switch form.kind {
    case .none: return refusePayload(form.payload, of: form.kind) ? SecurityPolicy.none : nil
    case .recommended: return refusePayload(form.payload, of: form.kind) ? .recommended : nil
    case .keychain, .encrypted:
      let base = CaseNode<SecurityPolicy.Kind>.quietly(inherited)
      let basePayload = base?.kind == form.kind ? base?.payload : nil
      if form.payload == nil, basePayload == nil {
        return form.kind == .keychain ? .keychain() : .encrypted(.init())
      }
      guard let leaves = leaves(form, basePayload) else { return nil }
      return form.kind == .keychain ? keychain(leaves) : encrypted(leaves)
    }
  }

  private mutating func leaves(_ form: CaseNode<SecurityPolicy.Kind>, _ base: SyntaxNode?) -> SecurityLeaves? {
    var leaves = SecurityLeaves()
    let isKeychain = form.kind == .keychain
    if let payload = form.payload {
      guard
        mapping(
          payload, "a map of what '\(form.kind.text)' takes",
          example: isKeychain ? "{keychain: {accessibility: whenUnlocked}}" : "{encrypted: {algorithm: aes256GCM}}")
      else { return nil }
      var fields = FieldIterator<SecurityField>(payload, of: form.kind.text, isCase: true) { field in
        (field == .accessibility || field == .accessControl) == isKeychain
      }
      while let (field, _, value) = fields.next(&findings) { leaves.set(field) { $0.own = value } }
      if fields.hasUnknown { return nil }
    }
    if let base, base.kind == .mapping {
      for (key, value) in base.fields where key.kind == .scalar {
        if let field = SecurityField.names.find(key) { leaves.set(field) { $0.base = value } }
      }
    }
    return leaves
  }

  private mutating func keychain(_ leaves: SecurityLeaves) -> SecurityPolicy? {
    var accessibility: KeychainAccessibility? = .whenUnlocked
    if let node = leaves.accessibility.node {
      accessibility = name(node, "an accessibility", example: "accessibility: whenUnlocked")
    }
    var accessControl: KeychainAccessControl?
    if let node = leaves.accessControl.node {
      accessControl = name(node, "an access control", example: "accessControl: userPresence")
      if accessControl == nil { return nil }
    }
    guard let accessibility else { return nil }
    return .keychain(accessibility: accessibility, accessControl: accessControl)
  }

  private mutating func encrypted(_ leaves: SecurityLeaves) -> SecurityPolicy? {
    var policy = SecurityPolicy.EncryptionPolicy()
    var isSound = true
    if let node = leaves.algorithm.node {
      if let algorithm: EncryptionAlgorithm = name(node, "an algorithm", example: "algorithm: aes256GCM") {
        policy.algorithm = algorithm
      } else {
        isSound = false
      }
    }
    if let node = leaves.keyDerivation.node {
      if let derivation = keyDerivation(node, inherited: leaves.keyDerivation.inherited) {
        policy.keyDerivation = derivation
      } else {
        isSound = false
      }
    }
    if let node = leaves.keySource.node {
      if let source = keySource(node, inherited: leaves.keySource.inherited) {
        policy.keySource = source
      } else {
        isSound = false
      }
    }
    return isSound ? .encrypted(policy) : nil
  }

  // MARK: Key derivation and source

  private enum RoundsField: UInt8, FieldName {
    case iterations

    static let names = NameTable<Self>()
  }

  private mutating func keyDerivation(_ node: SyntaxNode, inherited: SyntaxNode?) -> KeyDerivation? {
    guard
      let form: CaseNode<KeyDerivation.Kind> = caseNode(node, "a key derivation", example: "keyDerivation: hkdf")
    else { return nil }
    guard form.kind == .pbkdf2 else { return refusePayload(form.payload, of: form.kind) ? .hkdf : nil }
    var iterations: SyntaxNode?
    if let payload = form.payload {
      guard mapping(payload, "a map with 'iterations'", example: "{pbkdf2: {iterations: 600000}}") else { return nil }
      var fields = FieldIterator<RoundsField>(payload, of: form.kind.text, isCase: true)
      while let (_, _, value) = fields.next(&findings) { iterations = value }
      if fields.hasUnknown { return nil }
    }
    if iterations == nil, let base = CaseNode<KeyDerivation.Kind>.quietly(inherited), base.kind == .pbkdf2 {
      iterations = base.payload?.value(of: RoundsField.iterations.text)
    }
    let bounds = KeyDerivation.iterations
    let help = "write {pbkdf2: {iterations: \(bounds.lowerBound)}}, at most \(bounds.upperBound)"
    guard let iterations else {
      findings.report(.missingField, "'pbkdf2' needs its number of iterations", at: form.name, help: help)
      return nil
    }
    guard let text = scalar(iterations, "a number of iterations", example: "iterations: 600000") else { return nil }
    guard let number = Int(text), bounds.contains(number) else {
      findings.report(
        .invalidNumber, "'\(text)' is not a number from \(bounds.lowerBound) to \(bounds.upperBound)", at: iterations,
        help: help)
      return nil
    }
    return .pbkdf2(iterations: number)
  }

  private mutating func keySource(_ node: SyntaxNode, inherited: SyntaxNode?) -> KeySource? {
    guard let form: CaseNode<KeySource.Kind> = caseNode(node, "a key source", example: "keySource: masterKey") else {
      return nil
    }
    guard form.kind == .external else { return refusePayload(form.payload, of: form.kind) ? .masterKey : nil }
    var payload = form.payload
    if payload == nil, let base = CaseNode<KeySource.Kind>.quietly(inherited), base.kind == .external {
      payload = base.payload
    }
    guard let payload else {
      findings.report(
        .missingField, "'external' needs the id of its source", at: form.name, help: "write {external: remote.key}")
      return nil
    }
    guard let id = scalar(payload, "the id of a source", example: "keySource: {external: remote.key}") else {
      return nil
    }
    guard !id.isEmpty, id.unicodeScalars.count <= Self.maxNameLength, !ControlCharacters.occur(in: id) else {
      findings.report(
        .invalidContainer, "the id of a source has 1 to \(Self.maxNameLength) characters and no control characters",
        at: payload, help: "write {external: remote.key}")
      return nil
    }
    return .external(KeyMaterialSource(id: id))
  }
}
