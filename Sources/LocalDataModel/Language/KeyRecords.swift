import LocalDataSyntax
import LocalDataVocabulary

/// The maps that fields of a key take.
extension Language {
  /// The meaning of a key for the privacy manifest.
  static let privacy = FieldTable<ResolvedPrivacy>(
    "'privacy'", what: "a map with 'collected'",
    example: "privacy: {collected: true, dataType: emailAddress, purposes: [appFunctionality]}",
    [
      Field(
        "collected", .flag, .required, "The value leaves the device for the developer or others.", example: "true"
      ) { $0.isCollected = $1 },
      Field(
        "linked", .flag, .optional("false"), "The value is linked to the user's identity.", example: "true"
      ) { $0.isLinked = $1 },
      Field("tracking", .flag, .optional("false"), "The value is used to track the user.", example: "false") {
        $0.isTracking = $1
      },
      Field(
        "dataType", .word("a type of collected data"), .optional("none"),
        "The kind of data, by Apple's name without its prefix.", example: "emailAddress"
      ) { $0.dataType = $1 },
      Field(
        "purposes", .words("a list of purposes", of: .word("a purpose")), .optional("none"),
        "What the data is used for, by Apple's names without their prefix.", example: "[appFunctionality]"
      ) { $0.purposes = $1 },
    ])

  /// Why a key should no longer be used.
  static let deprecation = FieldTable<ResolvedKey.Deprecation>(
    "'deprecated'", what: "a map with 'reason'", example: "deprecated: {reason: Use theme instead., renamedTo: theme}",
    [
      Field("reason", .prose("a reason"), .required, "Why the key should not be used.", example: "Use theme instead.") {
        $0.reason = $1
      },
      Field(
        "renamedTo", .text("the name of a key"), .optional("none"), "The key to use instead.", example: "theme"
      ) { $0.renamedTo = $1 },
    ])

  /// The versions that a schema can have: far more than an app has releases that change one value.
  static let schemas = 1...100

  /// A step from one schema to the next.
  static let upgrade = FieldTable<UpgradeDraft>(
    "an upgrade", what: "a map with 'from' and 'transform'",
    example: "upgrade: [{from: 1, transform: ProfileV1.upgraded}]",
    [
      Field(
        "from", .integer("the version of a schema", schemas.lowerBound...schemas.upperBound - 1), .required,
        "The schema that the step begins with.", example: "1"
      ) { $0.from = $1 },
      Field(
        "transform", .swiftName("the name of a function"), .required,
        "A function from the type of that schema to the type of the next one.", example: "ProfileV1.upgraded"
      ) { $0.transform = $1 },
    ])

  /// A further form that a read accepts.
  static let readForm = FieldTable<ReadDraft>(
    "a form of 'reads'", what: "a type, or a map with 'type'",
    example: "reads: [{type: String, transform: Flag.parse}]",
    [
      Field("type", .type, .required, "The type of the stored value.", example: "String") { $0.type = $1 },
      Field("serializer", .serializer, .optional("the key's"), "How the value became bytes.", example: "propertyList") {
        $0.serializer = $1
      },
      Field(
        "dates", .word("a form of dates"), .optional("the key's; with a serializer, that of the serializer"),
        "The form of dates in the stored value.", example: "secondsSince1970"
      ) { $0.dates = $1 },
      Field(
        "transform", .swiftName("the name of a function"), .optional("none"),
        "A function from the type to the key's. If it throws or returns nil, the next form is tried.",
        example: "Flag.parse"
      ) { $0.transform = $1 },
    ])

  /// The smaller form of a value that the watch gets.
  static let watch = FieldTable<WatchDraft>(
    "'watch'", what: "a map with 'type' and 'transform'",
    example: "watch: {type: ProfileGlance, transform: ProfileGlance.init}",
    [
      Field("type", .type, .required, "The type that the watch gets.", example: "ProfileGlance") { $0.type = $1 },
      Field(
        "transform", .swiftName("the name of a function"), .required,
        "A function from the key's type to the watch's.", example: "ProfileGlance.init"
      ) { $0.transform = $1 },
      Field(
        "serializer", .serializer, .optional("the key's if that is json or propertyList, else json"),
        "How the watch's value becomes bytes.", example: "json"
      ) { $0.serializer = $1 },
      Field(
        "schema", .integer("the version of a schema", schemas), .optional("1"), "The schema of the watch's key.",
        example: "2"
      ) { $0.schema = $1 },
    ])
}

/// A step of `upgrade` on its way from nodes.
struct UpgradeDraft: Sendable {
  var from: Int?
  var transform: SwiftName?
}

/// A watch representation on its way from nodes.
struct WatchDraft: Sendable {
  var type: ValueType?
  var transform: SwiftName?
  var serializer: SerializerKind?
  var schema = 1
}

/// A form of `reads` on its way from nodes.
struct ReadDraft: Sendable {
  var node: SyntaxNode?
  var type: ValueType?
  var serializer: SerializerKind?
  var dates: DateForm?
  var transform: SwiftName?
}

/// One step of `upgrade`, with its places.
struct UpgradeStep: Sendable {
  var from: Int
  var fromNode: SyntaxNode
  var upgrade: ResolvedKey.Upgrade
}

extension ValueShape where Value == ValueType {
  static var type: Self {
    Self(what: "a type", shape: .type) { node, _, context in context.valueType(node, in: .key) }
  }
}

extension ValueShape where Value == ResolvedPrivacy {
  static var privacy: Self {
    .record(Language.privacy, ResolvedPrivacy(isCollected: false)) { privacy, node, context in
      if !privacy.isCollected {
        let fields = Language.privacy.entries.map(\.name).dropFirst()
        guard let rest = node.fields.first(where: { fields.contains($0.key.text) })?.key else { return privacy }
        context.findings.report(
          .invalidPrivacy, "'\(rest.text)' is for values that are collected, and this one is not", at: rest,
          help: "write {collected: false} alone, or {collected: true}")
        return nil
      }
      if privacy.dataType != nil, !privacy.purposes.isEmpty { return privacy }
      context.findings.report(
        .invalidPrivacy, "a collected value needs 'dataType' and at least one of 'purposes'", at: node,
        help: "write `\(Language.privacy.example)`")
      return nil
    }
  }
}

extension ValueShape where Value == ResolvedKey.Deprecation {
  static var deprecation: Self {
    .record(Language.deprecation, ResolvedKey.Deprecation(reason: "", renamedTo: nil)) { deprecation, _, _ in
      deprecation
    }
  }
}

extension ValueShape where Value == ResolvedKey.WatchRepresentation {
  static var watch: Self {
    .record(Language.watch, WatchDraft()) { draft, node, _ in
      guard let type = draft.type, let transform = draft.transform else { return nil }
      return ResolvedKey.WatchRepresentation(
        line: node.line, type: type, transform: transform, serializer: draft.serializer, schema: draft.schema)
    }
  }
}

extension ValueShape where Value == [ReadDraft] {
  static var readForms: Self {
    let table = Language.readForm
    let shape = Shape.list(of: .either([.type, table.shape]))
    return Self(what: "a list of forms", shape: shape) { node, _, context in
      guard context.sequence(node, "a list of forms", example: table.example) else { return nil }
      let forms: [ReadDraft?] = node.children.map { child in
        var form: ReadDraft?
        if child.kind == .mapping {
          form = table.record(child, ReadDraft(), &context)
        } else {
          form = context.valueType(child, in: .key).map { ReadDraft(type: $0) }
        }
        form?.node = child
        return form
      }
      if forms.isEmpty {
        context.findings.report(.missingField, "'reads' has no form", at: node, help: "write `\(table.example)`")
      }
      return forms.contains { $0?.type == nil } || forms.isEmpty ? nil : forms.compactMap(\.self)
    }
  }
}

extension ValueShape where Value == [UpgradeStep] {
  static var upgrades: Self {
    let table = Language.upgrade
    return Self(what: "a list of upgrades", shape: .list(of: table.shape)) { node, _, context in
      guard context.sequence(node, "a list of upgrades", example: table.example) else { return nil }
      var steps: [UpgradeStep] = []
      var count = 0
      for child in node.children {
        count += 1
        guard let draft = table.record(child, UpgradeDraft(), &context), let from = draft.from,
          let transform = draft.transform
        else { continue }
        let line = child.value(of: "transform")?.line ?? child.line
        steps.append(
          UpgradeStep(
            from: from, fromNode: child.value(of: "from") ?? child, upgrade: .init(line: line, transform: transform)))
      }
      if count == 0 {
        context.findings.report(.missingField, "'upgrade' has no step", at: node, help: "write `\(table.example)`")
      }
      return steps.count == count && count > 0 ? steps : nil
    }
  }
}

extension ValueShape where Value == SyncTransfer {
  static var transfer: Self {
    let word = Self.word("a way of sending")
    return Self(what: word.what, shape: word.shape) { node, entry, context in
      // The word of the first release.
      guard node.kind == .scalar, node.text == "resecure" else { return word.decode(node, entry, &context) }
      context.findings.report(
        .unknownCase, "'sync: resecure' is now 'sync: decrypted', because the value leaves the device decrypted",
        at: node, help: "write `sync: decrypted`")
      return nil
    }
  }
}

extension DecodingContext {
  /// Returns the parameters of a family.
  ///
  /// - Parameter mayBeVerbatim: True if a parameter may be a map with its encoding.
  mutating func parameters(
    _ node: SyntaxNode, mayBeEmpty: Bool, mayBeVerbatim: Bool = false
  ) -> [ResolvedKey.Parameter]? {
    let example = "parameters: {documentID: UUID}"
    guard mapping(node, "a map of parameters", example: example) else { return nil }
    var result: [ResolvedKey.Parameter] = []
    var isSound = true
    for (nameNode, typeNode) in node.fields {
      let name = identifier(nameNode, as: .parameter)
      let isMap = mayBeVerbatim && typeNode.kind == .mapping
      let draft =
        isMap
        ? Language.parameter.record(typeNode, ParameterDraft(), &self) : ParameterDraft(type: parameterType(typeNode))
      guard let name, let draft, let type = draft.type else {
        isSound = false
        continue
      }
      result.append(.init(name: name, type: type, encoding: draft.encoding))
    }
    if isSound, result.isEmpty, !mayBeEmpty {
      findings.report(.missingField, "a family has at least one parameter", at: node, help: "write `\(example)`")
      return nil
    }
    return isSound ? result : nil
  }

  fileprivate mutating func parameterType(_ node: SyntaxNode) -> ResolvedKey.ParameterType? {
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
    if types.isRefused(text) { return nil }
    let isKnown = types[text] != nil || ScalarType.names.find(text) != nil
    let all = types.all
    let suggestion = suggestion(for: text, among: ["String", "Int", "UUID"] + all.filter(\.form.isEnum).map(\.name))
    findings.report(
      isKnown ? .invalidType : .unknownType,
      isKnown
        ? "a parameter cannot be of the type '\(text)'"
        : "'\(text)' is not a type of parameters\(suggestion)",
      at: node, help: "use String, Int, UUID, or an enum of 'types'")
    return nil
  }
}

/// A parameter of a family on its way from nodes.
struct ParameterDraft: Sendable {
  var type: ResolvedKey.ParameterType?
  var encoding = ParameterEncoding.escaped
}

extension ParameterEncoding: CaseName {
  static let names = NameTable<Self>()
}

extension Language {
  /// The fields of a parameter.
  static let parameter = FieldTable<ParameterDraft>(
    "a parameter", what: "a map with 'type'", example: "documentID: {type: UUID, encoding: verbatim}",
    [
      Field("type", "the type of a parameter", .type, .required, "The type of the parameter.", example: "UUID") {
        node, draft, context in
        draft.type = context.parameterType(node)
        return draft.type != nil
      },
      Field(
        "encoding", .word("an encoding"), .optional("escaped"),
        "How the stored name has the parameter: with `%XX` for most bytes and a UUID in lower case, or as Swift prints it.",
        example: "verbatim"
      ) { $0.encoding = $1 },
    ])
}
