import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

/// The place, the protection and the flow of values. Ten thousand keys share some dozens of these.
final class AuditedStorage: Sendable {
  let flow: DataFlow
  let protection: AuditedPart.Protection
  /// A number that is larger if the values are protected better.
  let strength: Int
  /// The place and the protection in words.
  let place: String
  let securedText: String
  /// The ways in which copies leave the device, in words.
  let departureText: String
  /// The cells of the page's table for the place and the protection.
  let cells: HTMLFragment
  /// The facts of sections.
  let facts: HTMLFragment

  init(
    _ flow: DataFlow, _ protection: AuditedPart.Protection, strength: Int, place: String, securedText: String
  ) {
    self.flow = flow
    self.protection = protection
    self.strength = strength
    self.place = place
    self.securedText = securedText
    departureText = flow.departureText
    cells = HTMLFragment { html in
      html.element(.td, text: place)
      html.element(.td, .data("sort", strength), text: securedText)
    }
    facts = HTMLFragment { html in
      html.fact("Where", place)
      html.fact("Secured", securedText)
    }
  }
}

/// The storages that values share.
struct AuditedStorages {
  private var known: [KeyForm: AuditedStorage] = [:]
  private var backups: [StoredFacts: [DataFlow.Copy]] = [:]

  /// The facts of a key on which its storage depends.
  private struct KeyForm: Hashable {
    let domain: StorageDomain
    let security: SecurityPolicy
    let serializer: SerializerKind
    let facts: StoredFacts
    let needsProtection: Bool
    let isDecryptedForSync: Bool
  }

  mutating func storage(of key: ResolvedKey) -> AuditedStorage {
    let facts = key.storedFacts
    let form = KeyForm(
      domain: key.descriptor.domain, security: key.descriptor.security, serializer: key.descriptor.serializer,
      facts: facts, needsProtection: key.descriptor.sensitivity.needsProtection,
      isDecryptedForSync: key.descriptor.isDecryptedForSync)
    if let storage = known[form] { return storage }
    let storage = AuditedStorage(
      DataFlow(key, facts, backups: backups(of: facts)), key.descriptor.security.kind.protection,
      strength: facts.strength, place: key.descriptor.domain.auditText,
      securedText: key.descriptor.security.auditText)
    known[form] = storage
    return storage
  }

  /// Returns the copies in backups, by what a new device can do with them.
  mutating func backups(of facts: StoredFacts) -> [DataFlow.Copy] {
    if let copies = backups[facts] { return copies }
    let copies = Self.copies(of: facts)
    backups[facts] = copies
    return copies
  }

  private static func copies(of facts: StoredFacts) -> [DataFlow.Copy] {
    let all: [(event: StorageEvent, name: String)] = [
      (.encryptedBackup, "encrypted"), (.unencryptedBackup, "unencrypted"), (.iCloudRestore, "iCloud"),
    ]
    // After the other restores, such an item comes from iCloud Keychain and not from the backup.
    let events = facts.isSynchronizable ? Array(all.prefix(1)) : all
    func copy(
      _ outcomes: Set<Fate.Outcome>, _ remark: String, _ exposure: DataFlow.Exposure, form: String
    ) -> DataFlow.Copy? {
      let names = events.filter { outcomes.contains(FateTable.fate(of: facts, at: $0.event).outcome) }.map(\.name)
        .joined(separator: ", ")
      return names.isEmpty
        ? nil : DataFlow.Copy(.backup, names + remark, exposure, to: "backups (\(names))", form: form)
    }
    let readable =
      switch (facts.seal, facts.accessibility) {
      case (.none, nil): "as it is"
      case (.none, _?): "as a keychain item"
      case (.masterKey, _), (.external, _): "encrypted, with its key"
      }
    let unknown =
      facts.seal == .external ? "encrypted under a key of the app" : "it is not known whether its key arrives"
    return [
      copy([.kept, .asksUser, .mayBeLost, .cannotBeReadNow], "", .same, form: readable),
      copy([.cannotBeOpened], ": no key", .unreadable, form: "encrypted, without its key"),
      copy([.notDecidable], ": depends", .unreadable, form: unknown),
    ].compactMap(\.self)
  }
}
