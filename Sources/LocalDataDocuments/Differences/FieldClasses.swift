import LocalDataComparison
import LocalDataModel
import LocalDataSyntax
import LocalDataVocabulary

/// Findings by what they are about, for the class of a change.
struct StorageFindings {
  private(set) var keys: [String: [Finding]] = [:]
  private(set) var types: Set<String> = []

  /// - Parameters:
  ///   - old: The state whose values the findings are about.
  ///   - new: The state that reads them.
  init(_ findings: [Finding], from old: CatalogState, to new: CatalogState) {
    let check = ReadingCheck(oldTypes: old.types, newTypes: new.types)
    for finding in findings where finding.rule.losesValues {
      if case .type(let name) = finding.subject { types.insert(name) }
      for member in finding.keys { keys[member, default: []].append(finding) }
      if finding.rule == .fieldTypeChanged, case .field(let name, let number) = finding.subject {
        if let type = new.records[name]?.field(number)?.type { addChangedStructs(in: type, old, new) }
      }
      guard finding.rule == .typeChanged else { continue }
      for key in finding.keys.compactMap({ old.keys[$0] }) { addStructs(in: key.type, of: old, check) }
    }
  }

  /// Adds the structs in the type of a record's field that are declared in another way, also those in other structs.
  private mutating func addChangedStructs(in type: String, _ old: CatalogState, _ new: CatalogState) {
    var names = TypeExpression(known: type)?.names ?? []
    var seen = Set<String>()
    while let name = names.popLast() {
      guard seen.insert(name).inserted, case .structure(let fields)? = old.types[name]?.form else { continue }
      if old.types[name] != new.types[name] { types.insert(name) }
      names += fields.flatMap { TypeExpression(known: $0.type)?.names ?? [] }
    }
  }

  /// Adds the structs of a type that values cannot be decoded as any more, also those that are fields of others.
  private mutating func addStructs(in type: String, of old: CatalogState, _ check: ReadingCheck) {
    for name in check.changedNames(in: type) where !types.contains(name) {
      guard case .structure(let fields)? = old.types[name]?.form else { continue }
      types.insert(name)
      for field in fields { addStructs(in: field.type, of: old, check) }
    }
  }
}

/// The classes of the fields of a key that differ.
struct FieldClasses {
  private let old: DeclaredKey
  private let new: DeclaredKey
  private let rules: Set<ReleaseRule>
  private let isWeaker: Bool

  init(old: DeclaredKey, new: DeclaredKey, findings: [Finding]) {
    self.old = old
    self.new = new
    rules = Set(findings.map(\.rule))
    isWeaker = !ProtectionChange(from: old, to: new).all.isEmpty
  }

  /// A Boolean value that indicates whether stored values are lost, whichever field decides it.
  var isUncovered: Bool { !rules.isEmpty }

  func classes(of field: ResolvedField) -> [ChangeClass] {
    CatalogDifference.union([
      isSource(field) ? [.source] : [], isStorage(field) ? [.storage] : [], isSecurity(field) ? [.security] : [],
      isPrivacy(field) ? [.privacy] : [], isSync(field) ? [.sync] : [], isBehavior(field) ? [.behavior] : [],
    ])
  }

  private func isSource(_ field: ResolvedField) -> Bool {
    switch field {
    case .member, .type, .access, .parameters, .catalog, .legacy: true
    // With a default a key reads its type, and without one an optional.
    case .default: (old[field] == .absent) != (new[field] == .absent)
    default: false
    }
  }

  private func isStorage(_ field: ResolvedField) -> Bool {
    switch field {
    case .name, .domain, .domainSuite, .domainIdentifier, .domainService, .domainWithout, .domainAccessGroup,
      .domainSynchronizable, .domainDirectory, .domainCustomDirectory, .domainPath, .parameters:
      rules.contains(.addressChanged) || rules.contains(.keyRemoved) || rules.contains(.signingKeyChanged)
    case .reads: !Set(old[field].elements).isSubset(of: new[field].elements) && rules.contains(.typeChanged)
    case .type: rules.contains(.typeChanged) || rules.contains(.rawValueChanged)
    case .serializer, .customSerializer, .dates: rules.contains(.serializerChanged)
    case .security, .keySource, .externalKeySource: rules.contains(.securityChanged)
    case .schema: rules.contains(.schemaLowered)
    case .migration: rules.contains { [.migrationRemoved, .sourceOrder, .sourceField].contains($0) }
    case .maxAge, .retainedUntil: rules.contains(.retentionShortened)
    case .availability: rules.contains(.availabilityNarrowed)
    case .accessibility, .backup: rules.contains(.deviceBound)
    case .maxSize: rules.contains(.maxSizeLowered)
    case .validRange, .validCount: rules.contains(.validNarrowed)
    case .accessControl, .secureEnclave, .applicationTag: rules.contains(.signingKeyChanged)
    // A sign-out removes what a release kept.
    case .signOut: new[field] == .absent
    default: false
    }
  }

  private func isSecurity(_ field: ResolvedField) -> Bool {
    switch field {
    case .exportable: new[field] == .flag(true)
    case .secureEnclave: new[field] != .text(SecureEnclaveUse.required.rawValue)
    default: isWeaker && ProtectionChange.fields.contains(field)
    }
  }

  private func isPrivacy(_ field: ResolvedField) -> Bool {
    switch field {
    case .sensitivity: Self.rank(new[field]) < Self.rank(old[field])
    case .isCollected, .isLinked, .isTracking: new[field] == .flag(true)
    case .dataType, .signOut: new[field] != .absent
    case .purposes: !Set(new[field].elements).isSubset(of: old[field].elements)
    case .maxAge: Self.isLonger(old, new)
    case .retainedUntil: old[field] != .absent && Self.isLonger(old, new)
    default: false
    }
  }

  /// The order of the language: `public` harms least. Health, money and credentials are not compared with each other.
  static func rank(_ value: FieldValue) -> Int {
    switch value.text.flatMap(Sensitivity.init) {
    case .public: 0
    case .internal, nil: 1
    case .personal: 2
    case .health, .financial, .credential: 3
    }
  }

  /// A value without a retention is kept until it is removed, which is longest.
  private static func isLonger(_ old: DeclaredKey, _ new: DeclaredKey) -> Bool {
    guard let before = old[.maxAge].text.flatMap(Retention.seconds) else { return old[.retainedUntil] != .absent }
    guard let now = new[.maxAge].text.flatMap(Retention.seconds) else { return new[.retainedUntil] == .absent }
    return now > before
  }

  /// Whatever changes which devices have the value, or when they get it, is in the class. Without the sync, two devices have
  /// different values.
  private func isSync(_ field: ResolvedField) -> Bool {
    switch field {
    case .syncPolicy, .sync: true
    case .availability: Self.isOfOneDevice(old[field]) || isSent(old)
    case .watchType: isSent(new)
    default: false
    }
  }

  private static func isOfOneDevice(_ availability: FieldValue) -> Bool {
    [PlatformAvailability.phoneOnly, .watchOnly].contains { availability == .text($0.rawValue) }
  }

  private func isSent(_ key: DeclaredKey) -> Bool { key[.syncPolicy] != .text(SyncPolicy.never.rawValue) }

  /// The value that a read returns is another one, although the stored bytes are the same.
  private func isBehavior(_ field: ResolvedField) -> Bool { field == .default || field == .onCorruption }
}

/// The classes of a key that was not there before.
enum NewKeyClasses {
  static func classes(of key: DeclaredKey) -> [ChangeClass] {
    let isSent = key[.syncPolicy] != .text(SyncPolicy.never.rawValue)
    return CatalogDifference.union([
      key[.isCollected] == .flag(true) ? [.privacy] : [], isSent ? [.sync] : [],
    ])
  }
}
