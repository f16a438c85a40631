import LocalDataAudit
package import LocalDataVocabulary

/// Values of the language that hold others, in the form in which a catalog writes them.
extension FieldValue {
  /// `userDefaults`, or `{keychain: {service: com.example.account}}`.
  ///
  /// - Parameter name: The stored name. If it is empty, the item of the keychain has no account. It is the path of a file that has
  ///   one.
  package init(_ domain: StorageDomain, name: String? = nil) {
    let parts: [Entry]
    switch domain {
    case .userDefaults(let suite): parts = [Entry("suite", FieldValue(container: suite))]
    case .appGroupUserDefaults(let identifier): parts = [Entry("identifier", FieldValue(container: identifier))]
    case .keychain(let service, let accessGroup, let synchronizable):
      parts = [
        Entry("service", FieldValue(container: service == "" ? nil : service)),
        Entry("without", FieldValue(domain.missingAttribute(name: name)?.text)),
        Entry("accessGroup", FieldValue(container: accessGroup)),
        Entry("synchronizable", synchronizable ? .flag(true) : .absent),
      ]
    case .fileSystem(let directory), .encryptedFileSystem(let directory): parts = Self.folder(directory, name)
    case .appGroupFileSystem(let identifier, let directory):
      parts = [Entry("identifier", FieldValue(container: identifier))] + Self.folder(directory, name)
    }
    self = Self.ofCase(domain.kind.rawValue, parts)
  }

  /// Returns the directory of a file, and the path of a file that has one.
  private static func folder(_ directory: FileDirectory, _ name: String?) -> [Entry] {
    guard let exact = directory.exact, let name else { return [Entry("directory", FieldValue(directory))] }
    return [Entry("directory", .text(exact.rawValue)), Entry("path", .text(name))]
  }

  /// The name of a container, or `{configured: statistics, like: "*.statistics"}`.
  package init(container text: String?) {
    guard let configured = ConfiguredName(text: text) else {
      self.init(text)
      return
    }
    self = .map(present: [
      Entry("configured", .text(configured.name)), Entry("like", FieldValue(configured.pattern)),
    ])
  }

  /// The name of a container as a part of a domain.
  package var container: String? {
    guard let name = self["configured"].text else { return text }
    return ConfiguredName(name, like: self["like"].text).text
  }

  /// `documents`, or `{custom: Reports}`. Without its path, the directory of a path is `{exact: documents}`.
  package init(_ directory: FileDirectory) {
    if let text = directory.text {
      self = .map([Entry(directory.kind.rawValue, .text(text))])
    } else {
      self = .text(directory.kind.rawValue)
    }
  }

  /// `none`, or `{keychain: {accessibility: afterFirstUnlock}}`. What every catalog gets without saying it is left out.
  package init(_ security: SecurityPolicy) {
    switch security {
    case .none, .recommended: self = .text(security.kind.rawValue)
    case .keychain(let accessibility, let accessControl):
      self = Self.ofCase(
        security.kind.rawValue,
        [
          Entry("accessibility", accessibility == .whenUnlocked ? .absent : .text(accessibility.rawValue)),
          Entry("accessControl", FieldValue(accessControl?.rawValue)),
        ])
    case .encrypted(let policy):
      var derivation = FieldValue.absent
      if case .pbkdf2(let iterations) = policy.keyDerivation {
        derivation = .map([Entry(policy.keyDerivation.kind.rawValue, .map([Entry("iterations", .integer(iterations))]))]
        )
      }
      var source = FieldValue.absent
      if case .external(let external) = policy.keySource {
        source = .map([Entry(policy.keySource.kind.rawValue, .text(external.id))])
      }
      self = Self.ofCase(
        security.kind.rawValue,
        [
          Entry("algorithm", .text(policy.algorithm.rawValue)), Entry("keyDerivation", derivation),
          Entry("keySource", source),
        ])
    }
  }

  /// `json`, or `{custom: NoteSerializer}`.
  package init(_ serializer: SerializerKind) {
    if case .custom(let name) = serializer {
      self = .map([Entry(serializer.kind.rawValue, .text(name))])
    } else {
      self = .text(serializer.kind.rawValue)
    }
  }

  /// The steps of a migration, each with all that its sources have.
  package init(_ migration: ResolvedMigration) {
    self = .list(
      migration.steps.map { step in
        var entries: [Entry]
        switch step.action {
        case .move(let source): entries = [Entry("from", FieldValue(source))]
        case .transform(let source, let function):
          entries = [Entry("from", FieldValue(source)), Entry("transform", .text(function.text))]
        case .aggregate(let sources, let function):
          entries = [Entry("from", .list(sources.map(FieldValue.init))), Entry("aggregate", .text(function.text))]
        case .secureInPlace(let domain, let security):
          entries = [
            Entry("from", .map([Entry("domain", FieldValue(domain)), Entry("security", FieldValue(security))]))
          ]
        case .custom(let name): entries = [Entry(Language.customMigration, .text(name.text))]
        }
        if let condition = step.condition { entries.append(Entry("whenAppVersion", .text(condition.text))) }
        if step.onConflict == .remove { entries.append(Entry("onConflict", .text(step.onConflict.rawValue))) }
        return .map(entries)
      })
  }

  private init(_ source: ResolvedMigration.Source) {
    switch source {
    case .declared(let declared):
      guard let field = declared.field else {
        self = .text(declared.member)
        return
      }
      self = .map([
        Entry("member", .text(declared.member)),
        Entry(Language.fieldOfSource, field.text.map { .text($0) } ?? .list(field.texts.map { .text($0) })),
        Entry("type", .text(declared.type.swiftText)),
      ])
    case .inline(let inline):
      self = .map(present: [
        Entry("name", .text(inline.name)), Entry("type", .text(inline.type.swiftText)),
        Entry("domain", FieldValue(inline.domain, name: inline.domain.isExact ? inline.name : nil)),
        Entry("security", FieldValue(inline.security)), Entry("serializer", FieldValue(inline.serializer)),
        Entry("dates", FieldValue(inline.dates?.rawValue)), Entry("encoding", FieldValue(inline.encoding?.rawValue)),
      ])
    }
  }

  /// `UUID`, or `{type: UUID, encoding: verbatim}`.
  package init(_ parameter: ResolvedKey.Parameter) {
    self.init(parameter: parameter.type.swiftText, parameter.encoding)
  }

  /// `UUID`, or `{type: UUID, encoding: verbatim}`.
  package init(parameter type: String, _ encoding: ParameterEncoding) {
    let form = FieldValue.map([Entry("type", .text(type)), Entry("encoding", .text(encoding.rawValue))])
    self = encoding == .escaped ? .text(type) : form
  }

  /// A default; `text` is what the catalog wrote.
  package init(_ value: DefaultValue, text: String? = nil) {
    switch value {
    case .string(let text), .floating(let text), .date(_, let text), .url(let text), .uuid(let text),
      .decimal(let text), .enumCase(let text):
      self = .text(text)
    case .bool(let flag): self = .flag(flag)
    case .integer(let digits): self = Int(digits).map(FieldValue.integer) ?? .text(digits)
    case .data(let bytes): self = .text(text ?? Base64Text.text(bytes))
    case .list(let elements): self = .list(elements.map { FieldValue($0) })
    case .map(let entries):
      self = .map(entries.map { Entry(FieldValue($0.key).plainText, FieldValue($0.value)) })
    case .swift(let name): self = .map([Entry("swift", .text(name.text))])
    }
  }

  /// A scalar without quotes.
  private var plainText: String { text ?? description }

  /// A case with its fields: its name alone if it has none.
  private static func ofCase(_ name: String, _ fields: [Entry]) -> FieldValue {
    let present = FieldValue.map(present: fields)
    return present.entries.isEmpty ? .text(name) : .map([Entry(name, present)])
  }
}

extension FieldValue {
  /// An entry of `from` in a field of a record, as a catalog writes it.
  package init(_ transform: ResolvedRecord.Transform) {
    self.init(
      earlier: transform.sources.map { Entry(String($0.number), $0.facts) },
      transform: .text(transform.function.text))
  }

  /// Creates an entry of `from` in a field of a record.
  ///
  /// - Parameters:
  ///   - fields: The earlier fields by their numbers, each with a map of its type, its encryption and its wire form.
  ///   - transform: The name of the function.
  package init(earlier fields: [Entry], transform: FieldValue) {
    let transform = Entry("transform", transform)
    if fields.count == 1, let number = Int(fields[0].name) {
      self = .map([Entry("number", .integer(number))] + fields[0].value.entries + [transform])
      return
    }
    let short = fields.map { Entry($0.name, $0.value.entries.count == 1 ? $0.value["type"] : $0.value) }
    self = .map([Entry("fields", .map(short)), transform])
  }
}

extension ResolvedRecord.Source {
  /// The type, the encryption and the wire form of the field.
  package var facts: FieldValue {
    .map(present: [
      .init("type", .text(type.swiftText)),
      .init(Language.encryptedField, isEncrypted ? .flag(true) : .absent),
      .init("wire", isInSeconds ? .text(WireForm.seconds.rawValue) : .absent),
    ])
  }
}

extension FieldValue {
  /// The retention of a record as a catalog writes it.
  package init(_ retention: ResolvedRecord.Retention) {
    switch retention {
    case .untilRelaunch:
      self = .map([.init(Retention.Kind.until.rawValue, .text(RecordRetentionDraft.End.relaunch.rawValue))])
    case .dated(let by, let maxAge, let maxCount):
      self = .map(present: [
        .init(Retention.Kind.maxAge.rawValue, FieldValue(maxAge.map { Retention.text(seconds: $0) })),
        .init("maxCount", maxCount.map(FieldValue.integer) ?? .absent), .init("by", .text(by)),
      ])
    }
  }
}

extension FieldValue {
  /// The meaning for the privacy manifest, as a catalog writes it.
  package init(_ privacy: ResolvedPrivacy) {
    self = .map(present: [
      .init("collected", .flag(privacy.isCollected)), .init("linked", privacy.isLinked ? .flag(true) : .absent),
      .init("tracking", privacy.isTracking ? .flag(true) : .absent),
      .init("dataType", FieldValue(privacy.dataType?.rawValue)),
      .init("purposes", privacy.purposes.isEmpty ? .absent : .list(privacy.purposes.map { .text($0.rawValue) })),
    ])
  }

  /// The deprecation of a record, as a catalog writes it.
  package init(_ deprecation: ResolvedKey.Deprecation) {
    self = .map(present: [
      .init("reason", .text(deprecation.reason)), .init("renamedTo", FieldValue(deprecation.renamedTo)),
    ])
  }

  /// A review as a catalog writes it.
  package init(_ review: ResolvedReview) {
    self = .map([.init("by", .text(review.by)), .init("until", .text(review.until.text))])
  }
}
