import CatalogSyntax
import StorageVocabulary

/// Fields of a key that stand for themselves.
extension CatalogDecoder {
  mutating func serializer(_ node: SyntaxNode) -> SerializerKind? {
    if node.hasText("protobuf") {
      findings.report(
        .notSupportedYet, "the serializer 'protobuf' is not supported yet", at: node,
        help: "one of \(SerializerKind.Kind.names.listing)")
      return nil
    }
    guard let form: CaseNode<SerializerKind.Kind> = caseNode(node, "a serializer", example: "serializer: json") else {
      return nil
    }
    switch form.kind {
    case .json: return refusePayload(form.payload, of: form.kind) ? .json : nil
    case .propertyList: return refusePayload(form.payload, of: form.kind) ? .propertyList : nil
    case .data: return refusePayload(form.payload, of: form.kind) ? .data : nil
    case .custom:
      guard let payload = form.payload else {
        findings.report(
          .missingField, "'custom' needs the name of a serializer", at: form.name,
          help: "write {custom: NoteSerializer}")
        return nil
      }
      return swiftName(payload, "the name of a serializer in Swift", example: "serializer: {custom: NoteSerializer}")
        .map { .custom($0.text) }
    }
  }

  mutating func retention(_ node: SyntaxNode) -> Retention? {
    let example = "retention: {maxAge: 30d}"
    if node.kind == .scalar, let name = Retention.Kind.nameOfPayload(node.text) {
      findings.report(
        .wrongKind, "a retention says what '\(node.text)' is", at: node, help: "write {\(name): \(node.text)}")
      return nil
    }
    guard let form: CaseNode<Retention.Kind> = caseNode(node, "a retention", example: example) else { return nil }
    guard let payload = form.payload else {
      findings.report(
        .missingField, "'\(form.kind.text)' needs a value", at: form.name,
        help: "write {maxAge: 30d} or {until: relaunch}")
      return nil
    }
    switch form.kind {
    case .until:
      guard let end: Retention.End = name(payload, "an end of retention", example: "{until: relaunch}") else {
        return nil
      }
      switch end {
      case .relaunch: return .untilRelaunch
      case .reinstall: return .untilReinstall
      }
    case .maxAge:
      guard let text = scalar(payload, "a duration", example: example) else { return nil }
      if let seconds = Retention.seconds(text) { return .maxAge(seconds: seconds) }
      let units = Retention.units.map(\.symbol).joined(separator: ", ")
      findings.report(
        .invalidDuration, "'\(text)' is not a duration", at: payload,
        help: "write a whole number and one of \(units): 30d")
      return nil
    }
  }

  mutating func maxSize(_ node: SyntaxNode) -> Int? {
    guard let text = scalar(node, "a number of bytes", example: "maxSize: 4096") else { return nil }
    if let size = Int(text), size > 0, text.utf8.allSatisfy(Identifier.isDigit) { return size }
    findings.report(
      .invalidNumber, "'\(text)' is not a number of bytes", at: node,
      help: "write a whole number from 1 on: maxSize: 4096")
    return nil
  }

  mutating func owner(_ node: SyntaxNode) -> String? {
    guard !node.isNull else {
      findings.report(.missingOwner, "the owner is empty", at: node, help: "write who answers for it: AccountTeam")
      return nil
    }
    guard let text = prose(node, "an owner", example: "owner: AccountTeam") else { return nil }
    if text.utf8.contains(where: { $0 > 0x20 }) { return text }
    findings.report(.missingOwner, "the owner is empty", at: node, help: "write who answers for it: AccountTeam")
    return nil
  }

  mutating func description(_ node: SyntaxNode) -> String? {
    let help = "say what the value is, in a sentence: The colour scheme the user chose."
    guard !node.isNull else {
      findings.report(.missingDescription, "the description is empty", at: node, help: help)
      return nil
    }
    guard let text = prose(node, "a description", example: "description: The colour scheme the user chose.") else {
      return nil
    }
    switch Sentence.problem(text) {
    case nil: return text
    case .empty:
      findings.report(.missingDescription, "the description is empty", at: node, help: help)
    case .placeholder:
      findings.report(.vagueDescription, "'\(text)' is a reminder, not a description", at: node, help: help)
    case .tooShort:
      findings.report(.vagueDescription, "'\(text)' is not a sentence", at: node, help: help)
    }
    return nil
  }

  // MARK: Parameters and deprecation

  mutating func parameters(_ node: SyntaxNode, mayBeEmpty: Bool) -> [ResolvedKey.Parameter]? {
    let example = "parameters: {documentID: UUID}"
    guard mapping(node, "a map of parameters", example: example) else { return nil }
    var result: [ResolvedKey.Parameter] = []
    var isSound = true
    for (nameNode, typeNode) in node.fields {
      let name = identifier(nameNode, as: .parameter)
      let type = parameterType(typeNode)
      guard let name, let type else {
        isSound = false
        continue
      }
      result.append(.init(name: name, type: type))
    }
    if isSound, result.isEmpty, !mayBeEmpty {
      findings.report(.missingField, "a family has at least one parameter", at: node, help: "write `\(example)`")
      return nil
    }
    return isSound ? result : nil
  }

  private mutating func parameterType(_ node: SyntaxNode) -> ResolvedKey.ParameterType? {
    guard let text = scalar(node, "the type of a parameter", example: "{documentID: UUID}") else { return nil }
    switch ScalarType.names.find(text) {
    case .string: return .string
    case .int: return .int
    case .uuid: return .uuid
    default: break
    }
    if let declared = types[text] {
      if declared.form.isEnum { return .enumeration(text) }
      if declared.isBroken { return nil }
    }
    let isKnown = types[text] != nil || ScalarType.names.find(text) != nil
    let known = ["String", "Int", "UUID"] + types.all.filter(\.form.isEnum).map(\.name)
    findings.report(
      isKnown ? .invalidType : .unknownType,
      isKnown
        ? "a parameter cannot be of the type '\(text)'"
        : "'\(text)' is not a type of parameters\(Spelling.suggestion(for: text, among: known))",
      at: node, help: "one of String, Int, UUID, or an enum of 'types'")
    return nil
  }

  private enum DeprecationField: UInt8, FieldName {
    case reason, renamedTo

    static let names = NameTable<Self>()
  }

  mutating func deprecation(_ node: SyntaxNode) -> ResolvedKey.Deprecation? {
    let example = "deprecated: {reason: Use theme instead., renamedTo: theme}"
    guard mapping(node, "a map with 'reason'", example: example) else { return nil }
    var reason: String?
    var hasReason = false
    var renamedTo: String?
    var fields = FieldIterator<DeprecationField>(node, of: "'deprecated'")
    while let (field, _, value) = fields.next(&findings) {
      switch field {
      case .reason:
        hasReason = true
        reason = prose(value, "a reason", example: example)
      case .renamedTo:
        guard let text = scalar(value, "the name of a key", example: example) else { return nil }
        renamedTo = text
      }
    }
    if !hasReason, !fields.hasUnknown {
      findings.report(.missingField, "'deprecated' needs a reason", at: node, help: "write `\(example)`")
    }
    return reason.map { ResolvedKey.Deprecation(reason: $0, renamedTo: renamedTo) }
  }
}
