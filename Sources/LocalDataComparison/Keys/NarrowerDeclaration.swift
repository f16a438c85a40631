package import LocalDataModel
import LocalDataVocabulary

/// Compares a released key with the one that reads its values today: whether these are kept as long, in as many places and as
/// well protected as before.
struct NarrowerDeclaration {
  private let old: DeclaredKey
  private let reader: Reader
  private let context: ComparisonContext
  /// The keys that the app uses. A legacy key is a source of theirs.
  private let owners: [DeclaredKey]

  init(_ key: DeclaredKey, at reader: Reader, _ context: ComparisonContext) {
    old = key
    self.reader = reader
    self.context = context
    guard let owner = context.today.keys[reader.member], !key.isLegacy else {
      owners = []
      return
    }
    owners = owner.isLegacy ? context.readers.users(of: owner.member).compactMap { context.today.keys[$0] } : [owner]
  }

  /// All findings, each with the fields that give the key back what it had.
  var findings: [Finding] {
    owners.flatMap { now in
      let lost = [maxSize(now), valid(now), reads(now)]
      return ([retention(now), availability(now), sync(now), defaultValue(now)] + lost).compactMap(\.self)
    } + ownPlace
  }

  /// The declarations of a migration from another address.
  private var ownPlace: [Finding] {
    guard reader.isOwnPlace, reader.step == nil, let now = owners.first, now.member == reader.member else { return [] }
    return [protection(now), deviceBound(now)].compactMap(\.self)
  }

  private func finding(
    _ rule: ReleaseRule, _ now: DeclaredKey, _ message: String, _ fields: [FieldValue.Entry], isPossible: Bool = true
  ) -> Finding {
    let text = FieldValue.map(fields).lines.joined(separator: "`, `")
    return Finding(
      rule: rule, subject: .key(now.member), message: message,
      help:
        "\(isPossible ? "write `\(text)` again; " : "")if the change is meant, add `\(rule.allowance)` to '\(now.member)'",
      remedy: isPossible ? Remedy(fields: fields) : Remedy(), keys: [old.member])
  }

  // MARK: Lost values

  /// A value is removed earlier than the release promised.
  private func retention(_ now: DeclaredKey) -> Finding? {
    let before = KeptTime(old)
    let after = KeptTime(now)
    guard after.mayEndBefore(before) else { return nil }
    return finding(
      .retentionShortened, now, "kept '\(old.member)' \(before.words), and it is kept \(after.words) now",
      [.init("retention", before.value)], isPossible: before.isPossible(in: now.domain))
  }

  /// The value cannot be read on a device that has stored it.
  private func availability(_ now: DeclaredKey) -> Finding? {
    guard let before = old[.availability].text.flatMap(PlatformAvailability.init),
      let after = now[.availability].text.flatMap(PlatformAvailability.init)
    else { return nil }
    let words: [(StoragePlatform, String)] = [(.phone, "phones"), (.watch, "watches")]
    let lost = words.filter { before.includes($0.0) && !after.includes($0.0) }.map(\.1)
    guard !lost.isEmpty else { return nil }
    return finding(
      .availabilityNarrowed, now,
      "stored '\(old.member)' on \(lost.joined(separator: " and ")), where it cannot be read now",
      [.init("availability", .text(before.rawValue))])
  }

  /// A larger value is refused before it is decoded. A release that had the default of the domain is not reported: few
  /// values are as large as the default allows.
  private func maxSize(_ now: DeclaredKey) -> Finding? {
    guard let before = old[.maxSize].integer, let after = now[.maxSize].integer, after < before,
      before != old.domain.kind.defaultMaxSize
    else { return nil }
    return finding(
      .maxSizeLowered, now,
      "stored '\(old.member)' with up to \(before) bytes, and more than \(after) cannot be read now",
      [.init("maxSize", .integer(before))])
  }

  /// A value that is not valid any more is read like bytes that do not decode.
  private func valid(_ now: DeclaredKey) -> Finding? {
    guard let after = now.valid, after.isNarrower(than: old.valid) else { return nil }
    guard let before = old.valid else {
      return Finding(
        rule: .validNarrowed, subject: .key(now.member),
        message: "stored '\(old.member)' with any value, and only \(after.text) can be read now",
        help: "remove `valid`; if the change is meant, add `\(ReleaseRule.validNarrowed.allowance)` to '\(now.member)'",
        remedy: Remedy(), keys: [old.member])
    }
    return finding(
      .validNarrowed, now,
      "stored '\(old.member)' with values of \(before.text), and only \(after.text) can be read now",
      [.init("valid", before.value)])
  }

  /// The value is not on the next device of the user.
  private func deviceBound(_ now: DeclaredKey) -> Finding? {
    guard old.isRestored, !now.isRestored else { return nil }
    let fields: [FieldValue.Entry] =
      now.domain.kind == .keychain
      ? [.init("security", CatalogText.complete(old.security))] : [.init("backup", .flag(true))]
    return finding(
      .deviceBound, now,
      "stored '\(old.member)' so that a backup takes it to a new device, and it stays on this device now", fields)
  }

  /// A value that an earlier release stored in another form, which the release read and has not written again.
  private func reads(_ now: DeclaredKey) -> Finding? {
    let form = reader.form
    let lost = old[.reads].elements.filter { read in
      !form.isForm(read)
        && !form.reads.contains {
          $0["type"] == read["type"] && $0["serializer"] == read["serializer"] && $0["dates"] == read["dates"]
        }
    }
    guard let first = lost.first else { return nil }
    let fields = [FieldValue.Entry("reads", .list(form.reads + lost))]
    let text = FieldValue.map(fields).lines.joined(separator: "`, `")
    let isItself = reader.isOwnPlace && now.member == reader.member
    return Finding(
      rule: .typeChanged, subject: .key(now.member),
      message: "read '\(old.member)' also as '\(first["type"])', and such a value cannot be read now",
      help: isItself ? "write `\(text)` again" : "migrate from a legacy key with `\(text)`",
      remedy: isItself ? Remedy(fields: fields) : Remedy(), keys: [old.member])
  }

  // MARK: Other values

  /// The two devices keep different values.
  private func sync(_ now: DeclaredKey) -> Finding? {
    let never = FieldValue.text(SyncPolicy.never.rawValue)
    guard old[.syncPolicy] != never, now[.syncPolicy] == never else { return nil }
    var fields: [FieldValue.Entry] = [.init("syncPolicy", old[.syncPolicy])]
    if old[.sync] != .absent { fields.append(.init("sync", old[.sync])) }
    return finding(
      .syncRemoved, now, "sent '\(old.member)' to the paired device, and each device keeps its own value now", fields,
      isPossible: now.security == .none || old[.sync] != .absent)
  }

  /// Users who never set the value see another one. A default that a later release has changed is not reported again.
  private func defaultValue(_ now: DeclaredKey) -> Finding? {
    let before = old[.default]
    let after = now[.default]
    guard old.type == now.type, before != .absent, after != .absent, before != after,
      context.released.isNewest(context.release, of: old.member)
    else { return nil }
    return finding(
      .defaultChanged, now, "read '\(old.member)' as \(before) where nothing is stored, and it is read as \(after) now",
      [.init("default", before)])
  }

  /// A migration that names the old protection states the change; without one it happens silently.
  private func protection(_ now: DeclaredKey) -> Finding? {
    let weaker = ProtectionChange(from: old, to: now).atRest
    guard !weaker.isEmpty else { return nil }
    return finding(
      .weakerProtection, now, "protected '\(old.member)' better: \(weaker.joined(separator: ", "))",
      ProtectionChange.restoring(old, now))
  }
}

extension DeclaredKey {
  fileprivate var valid: ValidValues? {
    ValidValues(.map(present: [.init("range", self[.validRange]), .init("count", self[.validCount])]))
  }

  /// A Boolean value that indicates whether a backup takes the value to a new device.
  fileprivate var isRestored: Bool {
    if let directory = domain.directory { return isBackedUp && !directory.isCaches }
    guard domain.kind == .keychain, case .keychain(let accessibility, _) = security else { return true }
    return !accessibility.isThisDeviceOnly
  }
}

/// The time for which a value of a key is kept.
package struct KeptTime: Equatable {
  private enum End: Equatable {
    case never
    case age(seconds: Int)
    case relaunch, reinstall
  }

  private let end: End
  /// The retention as a catalog writes it.
  let value: FieldValue

  package init(_ key: DeclaredKey) {
    let entries: [FieldValue.Entry] = [
      .init(Retention.Kind.maxAge.rawValue, key[.maxAge]), .init(Retention.Kind.until.rawValue, key[.retainedUntil]),
    ]
    let present = FieldValue.map(present: entries)
    self.init(present.entries.isEmpty ? .text("none") : present)
  }

  /// - Parameter value: The retention as a catalog writes it.
  package init(_ value: FieldValue) {
    self.value = value
    if let seconds = value[Retention.Kind.maxAge.rawValue].text.flatMap(Retention.seconds) {
      end = .age(seconds: seconds)
    } else {
      switch value[Retention.Kind.until.rawValue].text.flatMap(Retention.End.init) {
      case .relaunch: end = .relaunch
      case .reinstall: end = .reinstall
      case nil: end = .never
      }
    }
  }

  /// Returns true if values can be removed that the other time keeps.
  package func mayEndBefore(_ other: KeptTime) -> Bool {
    switch (end, other.end) {
    case (.never, _): false
    case (.age(let seconds), .age(let others)): seconds < others
    case (.reinstall, .relaunch): false
    case let (one, two): one != two
    }
  }

  /// Returns true if the language allows the retention in a domain.
  func isPossible(in domain: StorageDomain) -> Bool {
    switch end {
    case .never, .age: true
    case .relaunch: !domain.kind.isAppGroup
    case .reinstall: domain.kind == .keychain
    }
  }

  var words: String {
    switch end {
    case .never: "until it is removed"
    case .age: "for \(value["maxAge"].text ?? "")"
    case .relaunch: "until the next launch"
    case .reinstall: "until the app is installed again"
    }
  }
}
