import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

/// The answers to a reviewer's questions about all values of some catalogs. Every format of the audit writes these.
struct AuditedValues: Sendable {
  /// The parts of the keys, by the positions of the catalog and of the key.
  private(set) var keys: [[AuditedPart]] = []
  /// The parts of the records, by the positions of the catalog and of the record.
  private(set) var records: [[[AuditedPart]]] = []
  /// The parts of unmanaged data, by the positions of the catalog and of the declaration.
  private(set) var unmanaged: [[AuditedPart]] = []
  /// The sensitive values that are not encrypted, the most sensitive ones first.
  private(set) var exposures: [Exposure] = []
  /// The values that leave the device.
  private(set) var departures: [Departure] = []
  /// The credentials that are protected least: those of this release, and those of earlier ones.
  private(set) var weakest: [Weakest] = []
  private var counts: [Sensitivity: [AuditedPart.Protection: Int]] = [:]
  /// The positions of departures, until they are sorted.
  private var departuresByForm: [DepartureForm: [Int]] = [:]

  private struct DepartureForm: Hashable {
    let storage: ObjectIdentifier
    let sensitivity: Sensitivity
  }

  /// Sensitive values that are stored as they are in one place.
  struct Exposure: Sendable, Hashable {
    let sensitivity: Sensitivity
    let place: String
    var names: [String] = []
  }

  /// Values of one sensitivity of which copies leave the device in one way.
  struct Departure: Sendable {
    let copy: DataFlow.Copy
    let sensitivity: Sensitivity
    var names: [String] = []
  }

  struct Weakest: Sendable {
    var strength: Int
    let isLegacy: Bool
    var protection: String
    var names: [String] = []
  }

  init(_ catalogs: [ResolvedCatalog]) {
    var storages = AuditedStorages()
    for catalog in catalogs {
      keys.append(
        catalog.keys.map { key in
          let part = AuditedPart(key, &storages)
          add(part, in: part.storage.place)
          return part
        })
      records.append(
        catalog.records.map { record in
          guard let database = catalog.database(of: record) else { return [] }
          let parts = AuditedPart.all(of: record, in: database, &storages)
          for part in parts { add(part, in: part.storage.place) }
          return parts
        })
      unmanaged.append(
        catalog.unmanaged.map { data in
          let part = AuditedPart(data, &storages)
          add(part, in: "unmanaged data")
          return part
        })
    }
    exposures.sort { Sensitivity.isBelow($1.sensitivity, $0.sensitivity) }
    departures.sort { left, right in
      if left.copy.place != right.copy.place { return left.copy.place.rank < right.copy.place.rank }
      if left.copy.isReadable != right.copy.isReadable { return left.copy.isReadable }
      if left.copy.text != right.copy.text { return left.copy.text < right.copy.text }
      return Sensitivity.isBelow(right.sensitivity, left.sensitivity)
    }
    weakest.sort { !$0.isLegacy && $1.isLegacy }
    departuresByForm = [:]
  }

  /// The number of keys and fields with a sensitivity and a protection.
  func count(_ sensitivity: Sensitivity, _ protection: AuditedPart.Protection) -> Int {
    counts[sensitivity]?[protection] ?? 0
  }

  /// The sensitivities that a value has, the most sensitive one first.
  var sensitivities: [Sensitivity] { Sensitivity.allCases.reversed().filter { counts[$0] != nil } }

  // MARK: - Collecting

  private mutating func add(_ part: AuditedPart, in place: String) {
    for value in part.values {
      counts[value.sensitivity, default: [:]][part.protection, default: 0] += 1
      if part.protection == .none, value.sensitivity.needsProtection { addExposed(value, place) }
    }
    for position in departures(of: part) { departures[position].names.append(part.name) }
    if part.values.contains(where: { $0.sensitivity == .credential }) { addCredential(part) }
  }

  private mutating func addExposed(_ value: AuditedPart.Value, _ place: String) {
    let position = exposures.firstIndex { $0.sensitivity == value.sensitivity && $0.place == place }
    if position == nil { exposures.append(Exposure(sensitivity: value.sensitivity, place: place)) }
    exposures[position ?? exposures.count - 1].names.append(value.name)
  }

  /// Returns the positions of the ways in which a part leaves the device. Parts of one storage and sensitivity share them.
  private mutating func departures(of part: AuditedPart) -> [Int] {
    let sensitivity = part.sensitivity
    let form = DepartureForm(storage: ObjectIdentifier(part.storage), sensitivity: sensitivity)
    if let positions = departuresByForm[form] { return positions }
    let positions = part.storage.flow.copies.filter(\.place.isElsewhere).map { copy in
      if let known = departures.firstIndex(where: { $0.sensitivity == sensitivity && $0.copy == copy }) { return known }
      departures.append(Departure(copy: copy, sensitivity: sensitivity))
      return departures.count - 1
    }
    departuresByForm[form] = positions
    return positions
  }

  private mutating func addCredential(_ part: AuditedPart) {
    guard let position = weakest.firstIndex(where: { $0.isLegacy == part.isLegacy }) else {
      return weakest.append(
        Weakest(
          strength: part.strength, isLegacy: part.isLegacy, protection: part.storage.securedText, names: [part.name]))
    }
    if part.strength < weakest[position].strength {
      weakest[position].strength = part.strength
      weakest[position].protection = part.storage.securedText
      weakest[position].names = []
    }
    if part.strength == weakest[position].strength { weakest[position].names.append(part.name) }
  }
}

// MARK: - Words

extension AuditedValues {
  static let countsTitle: StaticString = "Sensitivity and protection"
  static let countsText: StaticString = """
    The number of keys and of fields of records. A reference that is not encrypted, and a UUID that identifies its record, \
    say nothing by themselves and count as internal.
    """
  static let unmanagedText: StaticString = "Each declaration of unmanaged data counts as one key."
  static let exposuresTitle: StaticString = "Sensitive values that are not encrypted"
  static let noExposure: StaticString = "Every sensitive value is encrypted or in the keychain."
  static let departuresTitle: StaticString = "What leaves the device"
  static let noDeparture: StaticString = "Nothing leaves the device."
  static let signOutTitle: StaticString = "Sign-out"

  /// Returns sentences that say which values a sign-out removes and which it leaves.
  func signOut(_ catalogs: [ResolvedCatalog]) -> [String] {
    var sentences = [
      "No declaration ends a value at sign-out. Until the app removes them, all values stay. "
        + "removeAll(in:) removes from this device what one catalog declares:"
    ]
    for catalog in catalogs {
      let databases = catalog.databases.map(\.member)
      let records = catalogs.flatMap(\.records).filter {
        databases.contains($0.database) && $0.signOut != .keep
      }
      var parts = [Counted.text(catalog.keys.count { !$0.descriptor.staysAtSignOut }, "key")]
      if !records.isEmpty { parts.append("the rows of \(Counted.text(records.count, "record"))") }
      let sources = catalogs.flatMap(\.sources).filter { source in
        source.isExclusive && records.contains { $0.imported?.source == source.member }
      }
      if !sources.isEmpty {
        parts.append("what they were imported from: \(sources.map(\.member).joined(separator: ", "))")
      }
      sentences.append("removeAll(in: \(catalog.name)Catalog.self): \(parts.joined(separator: " and ")).")
    }
    let names = catalogs.flatMap(\.reserved).filter { !$0.deletesLeftovers }.map(\.name)
    var left = catalogs.flatMap(\.keys).filter { $0.descriptor.staysAtSignOut }.map {
      "the key \($0.descriptor.signing == nil ? "" : "pair ")\($0.descriptor.member)"
    }
    left += catalogs.flatMap(\.records).filter { $0.signOut == .keep }.map { "the rows of \($0.name)" }
    left += catalogs.flatMap(\.unmanaged).map { "the unmanaged \($0.kindText) \($0.member)" }
    left.append("files that were set aside because they were damaged")
    left += catalogs.flatMap(\.sources).filter { !$0.isExclusive && !$0.isKey }.map { "the old store \($0.member)" }
    if departures.contains(where: { $0.copy.place == .watch }) {
      left.append("what the paired device has received, until the removal is sent")
    }
    if departures.contains(where: { $0.copy.place == .backup }) { left.append("the copies in backups") }
    if !names.isEmpty { left.append("what is stored under the reserved names \(names.joined(separator: ", "))") }
    sentences.append("It leaves: \(left.joined(separator: ", ")).")
    return sentences
  }
}

extension AuditedValues.Weakest {
  static let title: StaticString = "Weakest protection of a credential"

  var whose: StaticString { isLegacy ? "Of earlier releases" : "Of this release" }

  /// For example `none, stored as it is: oldToken, oldPin`.
  var text: String { "\(protection): \(names.joined(separator: ", "))" }
}

extension DataFlow.Copy {
  /// A Boolean value that indicates whether nothing protects the copy.
  fileprivate var isReadable: Bool { form == "as it is" || form == "decrypted" }
}

extension DataFlow.Place {
  /// A Boolean value that indicates whether the place is not on this device.
  fileprivate var isElsewhere: Bool { self != .appGroup }

  fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension DataFlow {
  /// The ways in which the value leaves the device, for example `backups (encrypted, unencrypted, iCloud): as it is`, or `no`.
  var departureText: String {
    let parts = copies.filter { $0.place.isElsewhere }.map(\.text)
    return parts.isEmpty ? "no" : parts.joined(separator: "; ")
  }
}

extension ResolvedRecord {
  /// The declared sensitivity, and those of the fields of each protection.
  func sensitivityText(in database: ResolvedDatabase?) -> String {
    guard let database else { return sensitivity.rawValue }
    var storages = AuditedStorages()
    let parts = AuditedPart.all(of: self, in: database, &storages)
    guard parts.count > 1 || parts.contains(where: { $0.sensitivityText != sensitivity.rawValue }) else {
      return sensitivity.rawValue
    }
    let words = parts.map { part in
      "\(part.protection == .none ? "plain" : part.protection.rawValue) fields \(part.sensitivityText)"
    }
    return "\(sensitivity.rawValue); \(words.joined(separator: "; "))"
  }
}

extension ResolvedDatabase {
  /// The protection of fields, in words.
  func securityText(of protection: AuditedPart.Protection) -> String {
    protection == .none
      ? "\(SecurityPolicy.none.auditText), file protection \(self.protection.rawValue)" : sealing.auditText
  }
}
