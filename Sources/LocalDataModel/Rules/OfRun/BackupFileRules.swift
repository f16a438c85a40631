import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let backupContent = Rule(
    "backup-content", .records,
    "A backup has records of one database and keys, or private keys alone, and names each as it is declared.",
    why:
      "One transaction restores the rows. A key without Codable values, or a legacy key, has no value that a restore "
      + "could store.",
    bad: .catalog(Example.backup("records: [Note], keys: [letter]")), good: .catalog(Example.backup("records: [Note]")))

  static let backupSecretsPlain = Rule(
    "backup-secrets-plain", .records, "A backup with encrypted fields, or with secured keys, is encrypted.",
    why: "The file of a plain backup shows to everyone what the app encrypts.",
    bad: .catalog(Example.backup("records: [Note], encrypted: false", field: "encrypted: true")),
    good: .catalog(Example.backup("records: [Note]", field: "encrypted: true")))

  static let backupPrivateKeys = Rule(
    "backup-private-keys", .records,
    "Keys of sensitivity `credential` are in `privateKeys`, which have a file of their own that is always encrypted.",
    why: "Someone who has the file and its passphrase is the user. The file with the other data is opened more often.",
    bad: .catalog(Example.backupOfSeed("keys")), good: .catalog(Example.backupOfSeed("privateKeys")))

  static let backupReference = Rule(
    "backup-reference", .records,
    "A backup has each record that its records refer to, and each one that refers to them.",
    why: "A row without its parent cannot be restored, and a restore that replaces rows takes them from the others.",
    bad: .catalog(Example.backupOfLines("Line") + "\n  all: {records: [Note, Line], description: All of it.}"),
    good: .catalog(Example.backupOfLines("Note, Line")))

  static let recordNotBackedUp = Rule(
    "record-not-backed-up", .records, .warning, "If a catalog has a backup with records, each record is in one.",
    why: "The user who restores the backup on a new device does not expect that something is missing.",
    bad: .catalog(Example.backupOfLines("Note", parent: "")),
    good: .catalog(Example.backupOfLines("Note, Line", parent: "")))
}

extension Rule.Example {
  fileprivate static func backup(_ content: String, field: String = "sensitivity: internal") -> String {
    "\(database)records:\n  Note:\n    description: What the user wrote.\n    fields:\n"
      + "      id: {type: UUID, number: 1}\n      text: {type: String, number: 2, \(field)}\n"
      + "backupFiles:\n  full: {\(content), description: All that the user wrote.}"
  }

  fileprivate static func backupOfSeed(_ section: String) -> String {
    "keys:\n  seed: {type: String, domain: keychain, security: {keychain: {accessibility: whenUnlockedThisDeviceOnly}}, "
      + "serializer: data, sensitivity: credential, owner: AppTeam, description: The seed of the keys.}\n"
      + "backupFiles:\n  recovery: {\(section): [seed], description: What restores the identity.}"
  }

  fileprivate static func backupOfLines(
    _ records: String, parent: String = ", references: Note, onDelete: cascade"
  ) -> String {
    "\(database)records:\n  Note:\n    description: What the user wrote.\n    fields: {id: {type: UUID, number: 1}}\n"
      + "  Line:\n    description: A line of it.\n    fields:\n      id: {type: UUID, number: 1}\n"
      + "      note: {type: UUID, number: 2\(parent)}\n"
      + "backupFiles:\n  full: {records: [\(records)], description: All that the user wrote.}"
  }
}

/// Checks the backups of a run.
struct BackupFileRules: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    guard run.documents.contains(where: { !$0.backupFiles.isEmpty }) else { return }
    let keys = run.backedUpKeys
    var backedUp: Set<String> = []
    for backup in run.documents.lazy.flatMap(\.backupFiles) {
      backedUp.formUnion(backup.draft.recordNodes.map(\.text))
      findings.about(backup) { findings in
        if backup.draft.isPersonalData { return checkPersonalData(backup, run, &findings) }
        checkContent(backup, &findings)
        checkRecords(backup, run, &findings)
        checkKeys(backup, keys, &findings)
      }
    }
    guard !backedUp.isEmpty else { return }
    for record in run.records.all where !backedUp.contains(record.name) && record.draft.retention?.end != .relaunch {
      findings.about(record) {
        $0.report(
          .recordNotBackedUp, "no backup contains '\(record.name)'", at: record.node,
          help: "add it to the `records` of a backup")
      }
    }
  }

  private func checkPersonalData(_ backup: DecodedBackupFile, _ run: CatalogRun, _ findings: inout Findings) {
    for name in ["records", "keys", "privateKeys", "encrypted"] {
      guard let node = backup.body.value(of: name) else { continue }
      findings.report(
        .backupContent, "'\(backup.member.text)' has `personalData`, and `\(name)`", at: node,
        help: "remove `\(name)`: the sensitivities say what is about the user, and the document is plain")
    }
    let data = run.personalData
    var storedNames: [String: String] = [:]
    for name in data.records {
      guard let stored = run.records[name]?.storedName, let other = storedNames.updateValue(name, forKey: stored) else {
        continue
      }
      findings.report(
        .backupContent, "'\(other)' and '\(name)', which are about the user, are both stored as '\(stored)'",
        at: backup.member, help: "give one of them another `name`")
    }
    guard data.records.isEmpty, data.keys.isEmpty else { return }
    findings.report(
      .backupContent, "nothing that '\(backup.member.text)' can have is about the user", at: backup.member,
      help: "declare the `sensitivity` of keys and records: personal, health or financial")
  }

  private func checkContent(_ backup: DecodedBackupFile, _ findings: inout Findings) {
    let draft = backup.draft
    let isPlain = !draft.recordNodes.isEmpty || !draft.keyNodes.isEmpty
    if isPlain, let first = draft.privateKeyNodes.first {
      findings.report(
        .backupPrivateKeys, "'\(backup.member.text)' has private keys and something else", at: first,
        help: "declare a second backup for the private keys")
    } else if !draft.privateKeyNodes.isEmpty, !draft.isEncrypted {
      findings.report(
        .backupPrivateKeys, "'\(backup.member.text)' has private keys, and is not encrypted",
        at: backup.body.value(of: "encrypted") ?? backup.member, help: "remove `encrypted: false`")
    } else if !isPlain, draft.privateKeyNodes.isEmpty {
      findings.report(
        .backupContent, "'\(backup.member.text)' has no content", at: backup.member,
        help: "write `records: […]`, `keys: […]` or `privateKeys: […]`")
    }
  }

  private func checkRecords(_ backup: DecodedBackupFile, _ run: CatalogRun, _ findings: inout Findings) {
    let nodes = backup.draft.recordNodes
    let listed = Set(nodes.map(\.text))
    var first: DecodedRecord?
    for node in nodes {
      guard let record = run.records[node.text] else {
        findings.report(
          .backupContent, "'\(node.text)' is not a record of the run", at: node,
          help: "use one of \(run.records.all.map(\.name).listing)")
        continue
      }
      if let first, first.database != record.database {
        findings.report(
          .backupContent, "'\(record.name)' is in another database than '\(first.name)'", at: node,
          help: "declare a second backup for the records of the other database")
      }
      first = first ?? record
      checkReferences(of: record, node, listed, run, &findings)
      if !backup.draft.isEncrypted, record.hasEncryptedFields {
        findings.report(
          .backupSecretsPlain, "'\(record.name)' has encrypted fields, and the backup is not encrypted", at: node,
          help: "remove `encrypted: false`, or the record")
      }
    }
  }

  private func checkReferences(
    of record: DecodedRecord, _ node: SyntaxNode, _ listed: Set<String>, _ run: CatalogRun, _ findings: inout Findings
  ) {
    for reference in record.fields.compactMap(\.draft.referenceNode) where !listed.contains(reference.text) {
      findings.report(
        .backupReference, "'\(record.name)' refers to '\(reference.text)', which the backup does not have", at: node,
        help: "add '\(reference.text)' to `records`")
    }
    for other in run.records.all where !listed.contains(other.name) {
      let references = other.fields.filter { $0.draft.referenceNode?.text == record.name }
      guard !references.isEmpty else { continue }
      let loss =
        references.contains { $0.draft.onDelete == .cascade }
        ? "is deleted with '\(record.name)'" : "refers to '\(record.name)', whose rows a restore may replace"
      findings.report(
        .backupReference, "'\(other.name)' \(loss), and the backup does not have it", at: node,
        help: "add '\(other.name)' to `records`")
    }
  }

  private func checkKeys(
    _ backup: DecodedBackupFile, _ keys: [String: ResolvedKey], _ findings: inout Findings
  ) {
    var members: [String: String] = [:]
    for (nodes, isPrivate) in [(backup.draft.keyNodes, false), (backup.draft.privateKeyNodes, true)] {
      for node in nodes {
        guard let key = keys[node.text] else {
          findings.report(
            .backupContent, "'\(node.text)' is not a key of the run that a backup can have", at: node,
            help:
              "use a key or a family that is not legacy, and has no serializer of the app, or an `exportable` pair")
          continue
        }
        if let other = members.updateValue(node.text, forKey: key.descriptor.name), other != node.text {
          findings.report(
            .backupContent, "'\(node.text)' has the stored name of another key of the backup", at: node,
            help: "move it to another backup")
        }
        let isCredential = key.descriptor.sensitivity == .credential
        if isCredential != isPrivate {
          findings.report(
            .backupPrivateKeys,
            "'\(node.text)' \(isCredential ? "has" : "does not have") the sensitivity `credential`", at: node,
            help: isCredential ? "move it to `privateKeys` of another backup" : "move it to `keys` of another backup")
        } else if !backup.draft.isEncrypted, key.descriptor.security != .none {
          findings.report(
            .backupSecretsPlain, "'\(node.text)' is secured, and the backup is not encrypted", at: node,
            help: "remove `encrypted: false`, or the key")
        }
      }
    }
  }
}

extension CatalogRun {
  /// The keys that a backup can have, by their members.
  fileprivate var backedUpKeys: [String: ResolvedKey] {
    var keys: [String: ResolvedKey] = [:]
    for key in documents.lazy.flatMap(\.keys).map(\.resolved) where key.canBeInBackupFile {
      keys[key.descriptor.member] = key
    }
    return keys
  }
}

extension ResolvedKey {
  /// A Boolean value that indicates whether a file can have the values of the key.
  var canBeInBackupFile: Bool {
    guard !descriptor.isLegacy, customSerializer == nil else { return false }
    return descriptor.signing.map(\.isExportable) ?? true
  }
}

extension Findings {
  /// Makes the findings of a closure findings of a backup.
  fileprivate mutating func about(_ backup: DecodedBackupFile, _ report: (inout Findings) -> Void) {
    let outer = key
    key = .backup(backup.member, backup.body)
    report(&self)
    key = outer
  }
}
