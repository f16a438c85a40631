package import LocalDataModel
import LocalDataAudit
package import LocalDataVocabulary

/// Values of the language from the form in which a catalog writes them.
extension StorageDomain {
  /// `userDefaults`, or `{keychain: {service: com.example.account}}`; nil if the value is none of this version.
  package init?(_ value: FieldValue) {
    guard let (name, values) = value.caseAndFields, let kind = Kind(rawValue: name) else { return nil }
    var fields = Fields()
    fields.suite = values["suite"].container
    fields.identifier = values["identifier"].container
    fields.service = values["without"] == .text("service") ? "" : values["service"].container
    fields.accessGroup = values["accessGroup"].container
    fields.synchronizable = values["synchronizable"].flag
    fields.directory = FileDirectory(values["directory"])
    if values["path"] != .absent {
      fields.directory = values["directory"].text.flatMap(ForeignDirectory.init).map { .exact($0) }
    }
    self.init(kind, fields)
  }

  /// The domain of a key by its fields.
  init?(leaves: (ResolvedField) -> FieldValue) {
    guard let kind = leaves(.domain).text else { return nil }
    var directory = leaves(.domainDirectory)
    if directory == .text(FileDirectory.Kind.custom.rawValue) {
      directory = .map([.init("custom", leaves(.domainCustomDirectory))])
    }
    self.init(
      .map([
        .init(
          kind,
          .map([
            .init("suite", leaves(.domainSuite)), .init("identifier", leaves(.domainIdentifier)),
            .init("service", leaves(.domainService)), .init("without", leaves(.domainWithout)),
            .init("accessGroup", leaves(.domainAccessGroup)),
            .init("synchronizable", leaves(.domainSynchronizable)), .init("directory", directory),
            .init("path", leaves(.domainPath)),
          ]))
      ]))
  }
}

extension FileDirectory {
  package init?(_ value: FieldValue) {
    guard let (name, _) = value.caseAndFields, let kind = Kind(rawValue: name) else { return nil }
    switch kind {
    case .documents: self = .documents
    case .applicationSupport: self = .applicationSupport
    case .caches: self = .caches
    case .custom:
      guard let path = value["custom"].text else { return nil }
      self = .custom(path)
    case .exact:
      guard let folder = value["exact"].text.flatMap(ForeignDirectory.init) else { return nil }
      self = .exact(folder)
    }
  }
}

extension SecurityPolicy {
  /// `none`, or `{keychain: {accessibility: afterFirstUnlock}}`; nil if the value is none of this version.
  package init?(_ value: FieldValue) {
    guard let (name, fields) = value.caseAndFields, let kind = Kind(rawValue: name) else { return nil }
    switch kind {
    case .none: self = .none
    case .recommended: self = .recommended
    case .keychain:
      let accessibility = fields["accessibility"].text ?? KeychainAccessibility.whenUnlocked.rawValue
      let control = fields["accessControl"].text
      guard let accessibility = KeychainAccessibility(rawValue: accessibility) else { return nil }
      let accessControl = control.flatMap(KeychainAccessControl.init)
      guard (control == nil) == (accessControl == nil) else { return nil }
      self = .keychain(accessibility: accessibility, accessControl: accessControl)
    case .encrypted:
      var policy = EncryptionPolicy()
      if let name = fields["algorithm"].text {
        guard let algorithm = EncryptionAlgorithm(rawValue: name) else { return nil }
        policy.algorithm = algorithm
      }
      if let iterations = fields["keyDerivation"]["pbkdf2"]["iterations"].integer {
        policy.keyDerivation = .pbkdf2(iterations: iterations)
      }
      if let id = fields["keySource"]["external"].text { policy.keySource = .external(KeyMaterialSource(id: id)) }
      self = .encrypted(policy)
    }
  }

  /// The security of a key by its fields.
  init?(leaves: (ResolvedField) -> FieldValue) {
    guard let kind = leaves(.security).text else { return nil }
    let derivation: FieldValue = .map([.init("pbkdf2", .map([.init("iterations", leaves(.iterations))]))])
    let fields: [FieldValue.Entry] = [
      .init("accessibility", leaves(.accessibility)), .init("accessControl", leaves(.accessControl)),
      .init("algorithm", leaves(.algorithm)), .init("keyDerivation", derivation),
      .init("keySource", .map([.init("external", leaves(.externalKeySource))])),
    ]
    // What `recommended` meant is recorded with it.
    self.init(.map([.init(kind == Kind.recommended.rawValue ? Kind.encrypted.rawValue : kind, .map(fields))]))
  }
}

extension FieldValue {
  /// The name of a case, and its fields.
  fileprivate var caseAndFields: (name: String, fields: FieldValue)? {
    switch self {
    case .text(let name): (name, .map([]))
    case .map(let entries): entries.first.map { ($0.name, $0.value) }
    case .absent, .flag, .integer, .list: nil
    }
  }
}
