import LocalDataSyntax
import LocalDataVocabulary

/// Checks unmanaged data: the rules of keys about what is stored, and that nothing else declares its place.
struct UnmanagedRules: RunRule {
  private static let ofKey: [any KeyRule] = [
    KeychainSecurityRule(), UnsecuredDomainRule(), SynchronizableSecurityRule(), AccessControlAccessibilityRule(),
    RetentionDomainRule(), BackupDomainRule(), CredentialOutsideKeychainRule(), PersonalDataInPlainStoreRule(),
    SensitiveInBackupRule(), DeprecatedAccessibilityRule(), TerseDescriptionRule(), TodoInDescriptionRule(),
  ]

  func check(_ run: CatalogRun, _ findings: inout Findings) {
    for document in run.documents {
      for entry in document.unmanaged {
        check(entry, defaults: document.defaults, &findings)
        checkProtection(entry, &findings)
      }
    }
    var places = UnmanagedPlaces(run)
    places.check(run, &findings)
  }

  private func check(_ entry: DecodedUnmanaged, defaults: SyntaxNode?, _ findings: inout Findings) {
    var found = Findings()
    found.key = .unmanaged(entry.member, entry.key.body)
    for rule in Self.ofKey { rule.check(entry.key, defaults: defaults, &found) }
    for var finding in found.all {
      finding.help = Self.help(finding.rule) ?? finding.help
      findings.append(finding)
    }
  }

  /// The library encrypts only what it stores.
  private static func help(_ rule: String) -> String? {
    switch rule {
    case Rule.unsecuredDomain.id:
      "write `security: {keychain: {accessibility: whenUnlocked}}`, with the accessibility that it has"
    case Rule.keychainSecurity.id: "remove `security`, or write `domain: keychain`"
    case Rule.credentialOutsideKeychain.id, Rule.personalDataInPlainStore.id:
      "have it stored as a key or a record, or allow the finding with a reason, for example that a library uses it"
    default: nil
    }
  }

  private func checkProtection(_ entry: DecodedUnmanaged, _ findings: inout Findings) {
    let descriptor = entry.key.resolved.descriptor
    guard descriptor.domain.kind.isFile, descriptor.sensitivity.isAboutPerson,
      [.untilFirstUnlock, .none].contains(entry.draft.protection)
    else { return }
    findings.about(entry) {
      $0.report(
        .databaseProtection,
        "'\(descriptor.member)' contains personal data, and can be read while the device is locked",
        at: entry.key.body.value(of: "protection") ?? entry.member,
        help: "give the file the protection `complete`, or `completeUnlessOpen` if the app works in the background, "
          + "and write `protection: complete`")
    }
  }
}

/// The places of unmanaged data and of the stores of other libraries.
private struct UnmanagedPlaces {
  /// A file or a folder, below the folders of the app or in a container.
  private struct Path: Hashable {
    var group: String?
    var isOfGroup: Bool
    var parts: [String]
  }

  private struct Claim {
    var member: SyntaxNode
    var entry: DecodedUnmanaged?
  }

  private var items: [StoredPlace: DecodedUnmanaged] = [:]
  private var files: [(path: Path, claim: Claim)] = []

  init(_ run: CatalogRun) {
    let entries = run.documents.flatMap(\.unmanaged)
    guard !entries.isEmpty else { return }
    for source in run.records.sources {
      if let domain = source.draft.domain { add(domain, Claim(member: source.member)) }
    }
    for key in run.documents.lazy.flatMap(\.keys) where key.hasPlace {
      let descriptor = key.resolved.descriptor
      guard let directory = descriptor.domain.directory?.exact else { continue }
      var domain = ForeignDomainDraft(descriptor.domain.kind)
      domain.directory = directory
      domain.identifier = descriptor.domain.fields.identifier
      domain.path = descriptor.name
      add(domain, Claim(member: key.member))
    }
    for entry in entries {
      if let domain = entry.draft.domain, domain.kind.isFile {
        add(domain.file, Claim(member: entry.member, entry: entry))
      }
    }
  }

  private mutating func add(_ domain: ForeignDomainDraft, _ claim: Claim) {
    let isOfGroup = domain.kind == .appGroupFileSystem
    files.append((Path(group: domain.identifier?.lowercased(), isOfGroup: isOfGroup, parts: domain.parts), claim))
  }

  mutating func check(_ run: CatalogRun, _ findings: inout Findings) {
    checkFiles(&findings)
    checkItems(run, &findings)
  }

  // MARK: Files

  /// Reports files with one path, and files in a folder that another declaration describes.
  private func checkFiles(_ findings: inout Findings) {
    var first: [Path: Int] = [:]
    for (index, file) in files.enumerated() where first[file.path] == nil { first[file.path] = index }
    for (index, (path, claim)) in files.enumerated() {
      var ancestor = path
      var other = first[path].flatMap { $0 == index ? nil : files[$0].claim }
      while other == nil, !ancestor.parts.isEmpty {
        ancestor.parts.removeLast()
        if let folder = first[ancestor].map({ files[$0].claim }), folder.entry != nil { other = folder }
      }
      guard let other, let entry = claim.entry ?? other.entry else { continue }
      report(claim.member, other.member, of: entry, ", or one is in the folder of the other", &findings)
    }
  }

  private func report(
    _ member: SyntaxNode, _ other: SyntaxNode, of entry: DecodedUnmanaged, _ end: String, _ findings: inout Findings
  ) {
    findings.about(entry) {
      $0.report(
        .samePlace, "'\(other.text)' and '\(member.text)' are stored in the same place\(end)", at: member,
        help: "declare what is stored there once", notes: [.init("the first one", at: other.place)])
    }
  }

  // MARK: Items

  /// Reports a preference or an item that is a key's too, or that is declared twice.
  private mutating func checkItems(_ run: CatalogRun, _ findings: inout Findings) {
    for entry in run.documents.flatMap(\.unmanaged) where entry.key.hasPlace {
      guard entry.draft.domain?.kind.isFile == false else { continue }
      if let other = items[entry.key.place] {
        report(entry.member, other.member, of: entry, "", &findings)
      } else {
        items[entry.key.place] = entry
      }
    }
    guard !items.isEmpty else { return }
    let containers = Set(items.keys.map(\.container))
    for key in run.documents.lazy.flatMap(\.keys) where key.hasPlace {
      guard containers.contains(StoredPlace.Container(key.resolved.descriptor.domain)) else { continue }
      if let entry = items[key.place] {
        report(entry.member, key.member, of: entry, "", &findings)
      } else if !key.resolved.parameters.isEmpty {
        checkFamily(key, run, &findings)
      }
    }
  }

  private func checkFamily(_ key: DecodedKey, _ run: CatalogRun, _ findings: inout Findings) {
    let family = NamePattern(key.resolved, run.context.types)
    for entry in items.values.sorted(by: { $0.member.text < $1.member.text }) {
      let descriptor = entry.key.resolved.descriptor
      let name = NamePattern(descriptor.domain, descriptor.name, [])
      guard name.container == family.container, name.skeleton.mayMeet(family.skeleton),
        name.automaton.meeting(family.automaton) != nil
      else { continue }
      report(entry.member, key.member, of: entry, "", &findings)
    }
  }
}

extension Findings {
  /// Makes the findings of a closure findings of unmanaged data.
  fileprivate mutating func about(_ entry: DecodedUnmanaged, _ report: (inout Findings) -> Void) {
    let outer = key
    key = .unmanaged(entry.member, entry.key.body)
    report(&self)
    key = outer
  }
}
