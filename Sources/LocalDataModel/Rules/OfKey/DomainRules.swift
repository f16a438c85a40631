import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let retentionDomain = Rule(
    "retention-domain", .combinations, "The end of a retention is a moment that exists in the domain.",
    why: "The members of an app group have no common launch, and only keychain items outlive an uninstall.",
    bad: .keys("query: {type: String, retention: {until: reinstall}, description: What the user searched for.}"),
    good: .keys("query: {type: String, retention: {until: relaunch}, description: What the user searched for.}"))
}

/// Checks that the end of a retention exists in the key's domain.
struct RetentionDomainRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard let retention = key.resolved.descriptor.retention, key.isSound(KeyFieldSet(.retention, .domain)) else {
      return
    }
    let descriptor = key.resolved.descriptor
    let kind = descriptor.domain.kind
    let (problem, help): (String, String)
    switch retention {
    case .untilRelaunch where kind.isAppGroup:
      problem = "'until: relaunch' has no meaning in an app group, whose members are launched at different times"
      help = "use {maxAge: 1d}, or a domain that belongs to the app alone"
    case .untilReinstall where kind != .keychain:
      problem = "'until: reinstall' has no effect in '\(kind.text)', because an uninstall removes its values"
      help = "remove `retention`; only keychain items outlive an uninstall"
    default: return
    }
    findings.report(
      .retentionDomain, problem, at: key.node(of: .retention, defaults: defaults), help: help,
      notes: [.init("the domain of '\(descriptor.member)'", at: key.node(of: .domain, defaults: defaults).place)])
  }
}

extension Rule {
  static let backupDomain = Rule(
    "backup-domain", .combinations, "`backup` is a field of files.",
    why: "Preferences and keychain items are backed up as a whole, so the field would have no effect.",
    bad: .keys("theme: {type: String, backup: false, description: The colour scheme the user chose.}"),
    good: .keys(
      "theme: {type: String, domain: {fileSystem: {directory: documents}}, backup: false, "
        + "description: The colour scheme the user chose.}"))
}

/// Checks that only files are left out of a backup.
struct BackupDomainRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.own.contains(.backup), !key.resolved.descriptor.domain.kind.isFile,
      key.isSound(KeyFieldSet(.backup, .domain))
    else {
      return
    }
    let descriptor = key.resolved.descriptor
    let kinds = StorageDomain.Kind.allCases.filter(\.isFile).map(\.text).joined(separator: ", ")
    findings.report(
      .backupDomain,
      "'backup' applies to files, but '\(descriptor.member)' is stored in '\(descriptor.domain.kind.text)'",
      at: key.node(of: .backup, defaults: defaults),
      help: descriptor.domain.kind == .keychain
        ? "remove it, and use an accessibility that ends in ThisDeviceOnly; such an item is not restored on another device"
        : "remove it, or use one of the domains \(kinds)",
      notes: [.init("the domain of '\(descriptor.member)'", at: key.node(of: .domain, defaults: defaults).place)])
  }
}

extension Rule {
  static let permanentDataInCaches = Rule(
    "permanent-data-in-caches", .protection, .warning,
    "A value in `caches` has a `retention`, and is not the destination of a migration.",
    why: "The system deletes the files in this directory when it needs space, without asking the app.",
    bad: .keys(
      "draft: {type: String, domain: {fileSystem: {directory: caches}}, description: What the user wrote.}"),
    good: .keys(
      "rate: {type: Double, domain: {fileSystem: {directory: caches}}, retention: {maxAge: 1d}, "
        + "description: The price of a euro in dollars.}"))
}

/// Checks that only temporary values are in a directory that the system may empty.
struct PermanentDataInCachesRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.descriptor.domain.directory?.isCaches == true, !key.resolved.descriptor.isLegacy,
      key.isSound(KeyFieldSet(.domain, .retention, .legacy))
    else { return }
    let member = key.resolved.descriptor.member
    if key.migrationNode != nil {
      findings.report(
        .permanentDataInCaches, "the system can delete '\(member)' from the caches after its migration",
        at: key.node(of: .domain, defaults: defaults),
        help: "use another directory; a value that can be made again needs no migration")
    } else if key.resolved.descriptor.retention == nil {
      findings.report(
        .permanentDataInCaches, "the system can delete '\(member)' from the caches, but it has no `retention`",
        at: key.node(of: .domain, defaults: defaults),
        help: "use another directory, or add `retention: {maxAge: 7d}` if the value is temporary")
    }
  }
}

extension Rule {
  static let largeValueInPreferences = Rule(
    "large-value-in-preferences", .protection, .warning, "A value in preferences has a `maxSize` of at most 4 KiB.",
    why:
      "The system reads all preferences of an app into memory when it starts, and writes the whole file on a change.",
    bad: .keys("avatar: {type: Data, maxSize: 65536, description: The picture that the user chose.}"),
    good: .keys(
      "avatar: {type: Data, domain: {fileSystem: {directory: documents}}, maxSize: 65536, "
        + "description: The picture that the user chose.}"))
}

/// Checks that no key asks for much space in preferences. Keys that do not write `maxSize` are not reported: most
/// of them are small.
struct LargeValueInPreferencesRule: KeyRule {
  /// A page of memory. A hundred such values still start as fast as a file of half a megabyte is read.
  static let most = 4_096

  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.own.contains(.maxSize), key.resolved.descriptor.maxSize > Self.most, !key.resolved.descriptor.isLegacy,
      key.resolved.descriptor.domain.kind.isPreferences, key.isSound(KeyFieldSet(.maxSize, .domain, .legacy))
    else { return }
    findings.report(
      .largeValueInPreferences, "a value of up to \(key.resolved.descriptor.maxSize) bytes is large for preferences",
      at: key.node(of: .maxSize, defaults: defaults),
      help: "store it in a file, for example with `domain: {fileSystem: {directory: applicationSupport}}`")
  }
}

extension Rule {
  static let fileProtection = Rule(
    "file-protection", .combinations, "`protection` is a field of files, and not of `encryptedFileSystem`.",
    why:
      "Preferences and keychain items are protected in another way, and encrypted files always completely.",
    bad: .keys("theme: {type: String, protection: none, description: The colour scheme the user chose.}"),
    good: .keys(
      "theme:\n  type: String\n  domain: {fileSystem: {directory: documents}}\n  protection: none\n"
        + "  description: The colour scheme the user chose."))
}

/// Checks that only keys of files choose a protection.
struct FileProtectionRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let kind = key.resolved.descriptor.domain.kind
    guard key.own.contains(.protection), !kind.hasFileProtection, key.isSound(KeyFieldSet(.protection, .domain)) else {
      return
    }
    let node = key.body.key(of: KeyField.protection.text) ?? key.member
    findings.report(
      .fileProtection,
      kind.isFile
        ? "a file in '\(kind.text)' always has the protection 'complete'" : "'\(kind.text)' has no files to protect",
      at: node, help: "remove `protection`" + (kind.isFile ? ", or write another domain" : ""),
      notes: [
        .init("the domain of '\(key.resolved.descriptor.member)'", at: key.node(of: .domain, defaults: defaults).place)
      ])
  }
}
