package import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let syncAvailability = Rule(
    "sync-availability", .combinations, "A key that is sent is available on both devices.",
    why: "The other device has no key that could receive the value.",
    bad: .keys(
      "theme: {type: String, availability: phoneOnly, syncPolicy: manual, "
        + "description: The colour scheme the user chose.}"),
    good: .keys(
      "theme: {type: String, availability: all, syncPolicy: manual, description: The colour scheme the user chose.}"))
}

/// Checks that a key that is sent exists on the other device.
struct SyncAvailabilityRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.descriptor.syncPolicy != .never,
      key.resolved.descriptor.availability == .phoneOnly || key.resolved.descriptor.availability == .watchOnly,
      key.isSound(KeyFieldSet(.syncPolicy, .availability))
    else { return }
    let descriptor = key.resolved.descriptor
    findings.report(
      .syncAvailability,
      "'syncPolicy: \(descriptor.syncPolicy.text)' sends the value to the other device, but "
        + "'\(descriptor.availability.text)' keeps the key on one device",
      at: key.node(of: .syncPolicy, defaults: defaults),
      help: "write `syncPolicy: never`, `availability: phoneWithWatchSync` or `availability: all`",
      notes: [
        .init("the availability of '\(descriptor.member)'", at: key.node(of: .availability, defaults: defaults).place)
      ])
  }
}

extension Rule {
  static let watchSyncNever = Rule(
    "watch-sync-never", .combinations, .warning, "A key of `phoneWithWatchSync` has a `syncPolicy` that sends.",
    why: "The watch has the key but never gets its value.",
    bad: .keys(
      "theme: {type: String, availability: phoneWithWatchSync, description: The colour scheme the user chose.}"),
    good: .keys(
      "theme: {type: String, availability: phoneWithWatchSync, syncPolicy: automaticSmall, "
        + "description: The colour scheme the user chose.}"))
}

/// Checks that a key that is for phone and watch is sent to the watch.
struct WatchSyncNeverRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.resolved.descriptor.availability == .phoneWithWatchSync, key.resolved.descriptor.syncPolicy == .never,
      !key.resolved.descriptor.isLegacy,
      key.isSound(KeyFieldSet(.syncPolicy, .availability))
    else { return }
    findings.report(
      .watchSyncNever,
      "'phoneWithWatchSync' is for values that the watch receives, but 'syncPolicy: never' sends nothing",
      at: key.node(of: .availability, defaults: defaults),
      help: "write `syncPolicy: manual` or `syncPolicy: automaticSmall`, or `availability: all`")
  }
}

extension Rule {
  static let securedSync = Rule(
    "secured-sync", .combinations, "A secured key that is sent to the other device says `sync: decrypted`.",
    why: "The keys that encrypt the value stay on this device, so it is sent decrypted. A reviewer must see that.",
    bad: .keys(
      "note: {type: String, security: recommended, syncPolicy: manual, description: What the user wrote.}"),
    good: .keys(
      "note: {type: String, security: recommended, syncPolicy: manual, sync: decrypted, "
        + "description: What the user wrote.}"))
}

/// Checks that a value is only sent decrypted if its key says so.
struct SecuredSyncRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let descriptor = key.resolved.descriptor
    guard descriptor.syncPolicy != .never, descriptor.security != .none, !descriptor.isDecryptedForSync,
      key.isSound(KeyFieldSet(.syncPolicy, .security, .sync, .legacy))
    else { return }
    findings.report(
      .securedSync,
      "'syncPolicy: \(descriptor.syncPolicy.text)' would send this secured value decrypted",
      at: key.node(of: .syncPolicy, defaults: defaults),
      help: "write `sync: decrypted` if that is intended; the other device then secures the value as its own key says. "
        + "Otherwise write `syncPolicy: never`",
      notes: [.init("the security of '\(descriptor.member)'", at: key.node(of: .security, defaults: defaults).place)])
  }
}

extension Rule {
  static let needlessDecrypted = Rule(
    "needless-decrypted", .combinations, "`sync: decrypted` is used with a key that is both secured and sent.",
    why: "The field marks each value that leaves the device decrypted, so that a reviewer finds all of them.",
    bad: .keys("theme: {type: String, sync: decrypted, description: The colour scheme the user chose.}"),
    good: .keys("theme: {type: String, description: The colour scheme the user chose.}"))
}

/// Checks that `sync: decrypted` has an effect wherever it is written.
struct NeedlessDecryptedRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let descriptor = key.resolved.descriptor
    guard descriptor.isDecryptedForSync, !descriptor.isLegacy, key.isSound(KeyFieldSet(.syncPolicy, .security, .sync)),
      let reason = reason(descriptor)
    else { return }
    findings.report(
      .needlessDecrypted, "'sync: decrypted' has no effect: \(reason)",
      at: key.node(of: .sync, defaults: defaults),
      help: "remove `sync`")
  }

  private func reason(_ descriptor: StorageKeyDescriptor) -> String? {
    if descriptor.syncPolicy == .never { return "the key is not sent" }
    return descriptor.security == .none ? "the value is not secured" : nil
  }
}

extension Rule {
  static let watchRepresentation = Rule(
    "watch-representation", .combinations, "`watch` is used with a `syncPolicy` that sends.",
    why: "The field describes what the watch receives, so it has no effect if nothing is sent.",
    bad: .catalog(
      "imports: [Models]\n\(Example.defaults)keys:\n  profile:\n    type: Models.Profile\n"
        + "    watch: {type: Models.Glance, transform: Models.Glance.init}\n    description: Who the user is."),
    good: .catalog(
      "imports: [Models]\n\(Example.defaults)keys:\n  profile:\n    type: Models.Profile\n    syncPolicy: manual\n"
        + "    watch: {type: Models.Glance, transform: Models.Glance.init}\n    description: Who the user is."))
}

/// Checks that a watch representation is sent, and that its serializer can write its type.
struct WatchRepresentationRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let descriptor = key.resolved.descriptor
    guard let form = key.resolved.watchRepresentation, !descriptor.isLegacy, key.isSound(KeyFieldSet(.watch)) else {
      return
    }
    let node = key.node(of: .watch, defaults: defaults)
    if descriptor.syncPolicy == .never, key.isSound(KeyFieldSet(.syncPolicy)) {
      findings.report(
        .watchRepresentation, "'watch' has no effect, because 'syncPolicy: never' sends nothing", at: node,
        help: "write `syncPolicy: manual` or `syncPolicy: automaticSmall`, or remove `watch`")
    }
    if let serializer = form.serializer, !serializer.takes(form.type) {
      findings.report(
        .serializerType, serializer.refusal(of: form.type), at: node,
        help: "use json, propertyList, or {custom: GlanceSerializer}")
    }
  }
}

extension Rule {
  package static let syncOnSensitive = Rule(
    "sync-on-sensitive", .protection, .warning, "Credentials and personal data stay on the device.",
    why: "A value that is sent is decrypted on its way, and another device protects it as that device does.",
    bad: .keys(
      "email: {type: String, sensitivity: personal, security: recommended, syncPolicy: manual, sync: decrypted, "
        + "description: Where receipts are sent to.}"),
    good: .keys(
      "email: {type: String, sensitivity: personal, security: recommended, description: Where receipts are sent to.}"))
}

/// Checks that sensitive values are neither sent to the other device nor synchronized by the keychain.
struct SyncOnSensitiveRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let sensitivity = key.resolved.descriptor.sensitivity
    guard sensitivity == .credential || sensitivity.isAboutPerson, !key.resolved.descriptor.isLegacy,
      key.isSound(KeyFieldSet(.sensitivity, .syncPolicy, .domain, .legacy))
    else { return }
    let what = "'\(key.resolved.descriptor.member)' has the sensitivity '\(sensitivity.text)'"
    if key.resolved.descriptor.syncPolicy != .never {
      findings.report(
        .syncOnSensitive, "\(what) and is sent decrypted to the other device",
        at: key.node(of: .syncPolicy, defaults: defaults),
        help: "write `syncPolicy: never`, or allow the finding with a reason")
    }
    if case .keychain(_, _, synchronizable: true) = key.resolved.descriptor.domain {
      findings.report(
        .syncOnSensitive, "\(what) and is synchronized to all devices of the user's account",
        at: key.node(of: .domain, defaults: defaults),
        help: "remove `synchronizable`, or allow the finding with a reason")
    }
  }
}
