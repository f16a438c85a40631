import LocalDataModel
import LocalDataVocabulary

/// What the devices of users have stored, as far as a catalog decides it: where a value is, and how it was written.
///
/// It follows the description of the language, and not the code that compares declarations.
struct SimulatedStore {
  /// What decides, besides the type, whether bytes can be read.
  private struct Form: Hashable {
    var serializer: String
    /// Nil for bytes that are not sealed.
    var seal: String?
    var isSynchronizable: Bool
    var schema: Int

    init(_ domain: StorageDomain, _ security: SecurityPolicy, _ serializer: SerializerKind, schema: Int) {
      self.serializer = "\(serializer)"
      self.schema = schema
      if case .encrypted(let policy) = security { seal = "\(policy.keySource) \(domain.kind)" }
      if case .keychain(_, _, true) = domain { isSynchronizable = true } else { isSynchronizable = false }
    }
  }

  private struct Entry {
    /// The number of the value, and the release that wrote it.
    var origin: Origin
    var value: SampleValue
    var form: Form
  }

  struct Origin: Hashable {
    var lineage: Int
    var release: Int
  }

  enum Result: Equatable {
    case value(Origin)
    case nothing
    case unreadable
    /// A custom migration decides.
    case custom
  }

  private var entries: [StoredPlace: Entry] = [:]

  /// Writes a sample of each key of a release.
  mutating func write(_ release: SimulatedRelease, sample number: Int) {
    for (lineage, key) in release.keys.sorted(by: { $0.key < $1.key }) {
      guard let value = release.types.sample(key.type, number) else { continue }
      let parameters = release.arguments(of: key)
      let name = Self.name(key.descriptor.name, key.nameParts, parameters)
      let form = Form(
        key.descriptor.domain, key.descriptor.security, key.descriptor.serializer, schema: key.descriptor.schema)
      entries[StoredPlace(key.descriptor.domain, name: name)] = Entry(
        origin: Origin(lineage: lineage, release: release.number), value: value, form: form)
    }
  }

  /// Reads a key of today: its own address, and then its sources in their order.
  ///
  /// - Parameters:
  ///   - arguments: The texts of the parameters, by position.
  ///   - known: The custom migrations that the last release had. They move what earlier releases stored.
  func read(
    _ key: ResolvedKey, in today: SimulatedRelease, _ arguments: [String: String], known: Set<String>
  ) -> Result {
    let moved = moved(key, today, arguments, known)
    if let result = own(key, today, arguments), !isLeftover(result, moved) { return result }
    return moved
  }

  /// Returns true if a key has gone back to an address that it left in an earlier release: the runtime then reads its
  /// sources first.
  private func isLeftover(_ own: Result, _ moved: Result) -> Bool {
    guard case .value(let left) = own, case .value(let newer) = moved else { return false }
    return left.lineage == newer.lineage && left.release < newer.release
  }

  /// The value that the first source with a value provides.
  private func moved(
    _ key: ResolvedKey, _ today: SimulatedRelease, _ arguments: [String: String], _ known: Set<String>
  ) -> Result {
    for step in key.migration?.steps ?? [] {
      for source in Self.sources(of: step.action) {
        switch source {
        case .inline(let inline):
          let name = Self.name(inline.name, inline.nameParts, arguments)
          guard let entry = entries[StoredPlace(inline.domain, name: name)] else { continue }
          let form = Form(inline.domain, inline.security, inline.serializer, schema: 1)
          return Self.reads(entry, form, inline.type, today.types) ? .value(entry.origin) : .unreadable
        case .declared(let declared):
          guard let legacy = today.byMember[declared.member] else { continue }
          if let result = own(legacy, today, arguments) { return result }
        }
      }
      if case .custom(let name) = step.action, !known.contains(name.text) { return .custom }
    }
    return .nothing
  }

  private func own(_ key: ResolvedKey, _ today: SimulatedRelease, _ arguments: [String: String]) -> Result? {
    let descriptor = key.descriptor
    let name = Self.name(descriptor.name, key.nameParts, arguments)
    guard let entry = entries[StoredPlace(descriptor.domain, name: name)] else { return nil }
    var forms = [Form(descriptor.domain, descriptor.security, descriptor.serializer, schema: descriptor.schema)]
    for step in key.migration?.steps ?? [] {
      guard case .secureInPlace(let domain, let security) = step.action else { continue }
      forms.append(Form(domain, security, descriptor.serializer, schema: descriptor.schema))
    }
    return forms.contains { Self.reads(entry, $0, key.type, today.types) } ? .value(entry.origin) : .unreadable
  }

  private static func reads(_ entry: Entry, _ form: Form, _ type: ValueType, _ types: SampleTypes) -> Bool {
    guard entry.form.seal == form.seal, entry.form.isSynchronizable == form.isSynchronizable,
      entry.form.serializer == form.serializer, entry.form.schema <= form.schema
    else { return false }
    return entry.form.schema < form.schema || types.decodes(entry.value, as: type)
  }

  private static func sources(of action: ResolvedMigration.Action) -> [ResolvedMigration.Source] {
    switch action {
    case .move(let source), .transform(let source, _): [source]
    case .aggregate(let sources, _): sources
    case .secureInPlace, .custom: []
    }
  }

  private static func name(
    _ name: String, _ parts: [ResolvedKey.NamePart], _ arguments: [String: String]
  ) -> String {
    guard !parts.isEmpty else { return name }
    return parts.map { part in
      switch part {
      case .text(let text): text
      case .parameter(let name): arguments[name] ?? "?"
      }
    }.joined()
  }
}

/// A catalog of the history, as the store needs it.
struct SimulatedRelease {
  let number: Int
  let types: SampleTypes
  /// The keys that the app uses, by the numbers of their values.
  let keys: [Int: ResolvedKey]
  let byMember: [String: ResolvedKey]

  init(_ sheet: Sheet, number: Int) throws {
    self.number = number
    let catalogs = try Today(sheet.text).resolved
    types = SampleTypes(catalogs)
    byMember = Dictionary(catalogs.flatMap(\.keys).map { ($0.descriptor.member, $0) }) { first, _ in first }
    keys = sheet.byLineage.compactMapValues { [byMember] in byMember[$0.name] }.filter { !$0.value.descriptor.isLegacy }
  }

  /// The names of the custom migrations of a key.
  func customMigrations(_ lineage: Int) -> Set<String> {
    Set(
      (keys[lineage]?.migration?.steps ?? []).compactMap { step in
        if case .custom(let name) = step.action { name.text } else { nil }
      })
  }

  /// The texts of a key's parameters.
  func arguments(of key: ResolvedKey) -> [String: String] {
    Dictionary(
      key.parameters.enumerated().map { index, parameter in
        if case .enumeration = parameter.type { (parameter.name, "s") } else { (parameter.name, "\(index)") }
      }
    ) { first, _ in first }
  }

  /// The texts of a key's parameters in the code of a later release, which has its parameters at the same positions.
  func arguments(of key: ResolvedKey, as later: ResolvedKey) -> [String: String] {
    let texts = arguments(of: key)
    return Dictionary(
      zip(key.parameters, later.parameters).map { ($1.name, texts[$0.name] ?? "") }
    ) { first, _ in first }
  }
}
