package import LocalDataModel
package import LocalDataSyntax

/// A privacy manifest compared with what catalogs declare: what is missing, and the file with it.
///
/// One pass makes the findings and the changes, so that `manifest --into` writes exactly what `doctor` misses. Entries that
/// the file has beside the declared ones belong to other code of the app, and stay.
package struct ManifestComparison {
  typealias Key = AppStoreTables.ManifestKey
  typealias Node = PropertyList.Node

  /// The entries that are missing or weaker than declared, in the order of the file.
  package private(set) var findings: [Diagnostic] = []
  private let list: PropertyList
  private let manifest: PrivacyManifest
  private let use: StorageUse
  private var edit: PropertyListEdit

  /// Compares a manifest with catalogs.
  ///
  /// - Throws: A finding about a value of another type than Apple gives it.
  package init(_ list: PropertyList, with catalogs: [ResolvedCatalog]) throws(PropertyListFailure) {
    self.list = list
    manifest = PrivacyManifest(catalogs)
    use = StorageUse(catalogs)
    edit = PropertyListEdit(list)
    let entries = try list.dictionary(list.root, "a privacy manifest")
    try compareTracking(entries)
    try compareDataTypes(entries)
    try compareReasons(entries)
    findings += ManifestNames(list, entries).findings
  }

  /// The bytes of the file with everything that is missing. All other bytes are as they were.
  package var merged: [UInt8] { edit.bytes }

  // MARK: Tracking

  private mutating func compareTracking(_ entries: [PropertyList.Entry]) throws(PropertyListFailure) {
    let domains = try entries[Key.trackingDomains].map { node throws(PropertyListFailure) in
      try list.texts(node, Key.trackingDomains.quoted)
    }
    let node = entries[Key.tracking]
    var isTracking = try node.map { node throws(PropertyListFailure) in try list.flag(node, Key.tracking.quoted) }
    let members = manifest.entries.filter(\.isTracking).flatMap(\.members)
    if !members.isEmpty, isTracking != true {
      report(.undeclaredData, "\(Key.tracking.quoted) is not true, but data is used for tracking", at: node, members)
      set(Key.tracking, true, at: node, in: list.root)
      isTracking = true
    }
    // Which domains track is known to the app alone.
    if isTracking == true, domains?.isEmpty ?? true {
      findings.append(
        Diagnostic(
          rule: Rule.undeclaredData.id, severity: .warning,
          "data is used for tracking, and \(Key.trackingDomains.quoted) names no domain",
          at: list.place(of: entries[Key.trackingDomains] ?? node ?? list.root),
          help: "list the domains that the app contacts for tracking"))
    }
  }

  // MARK: Collected data

  private mutating func compareDataTypes(_ entries: [PropertyList.Entry]) throws(PropertyListFailure) {
    let array = entries[Key.collectedDataTypes]
    let dictionaries = try dictionaries(in: array, Key.collectedDataTypes, named: Key.dataType)
    var missing: [PropertyListValue] = []
    for entry in manifest.entries {
      let name = entry.dataType.manifestName
      let found = dictionaries.filter { $0.name == name }
      if let first = found.first {
        try compare(entry, with: found.map(\.entries), editing: first.node)
      } else {
        report(.undeclaredData, "the collected data type '\(name)' is not declared", at: array, entry.members)
        missing.append(Self.value(of: entry))
      }
    }
    add(missing, to: array, Key.collectedDataTypes)
  }

  private mutating func compare(
    _ entry: PrivacyManifest.Entry, with found: [[PropertyList.Entry]], editing node: Node
  ) throws(PropertyListFailure) {
    let name = entry.dataType.manifestName
    for (key, isDeclared, words) in [
      (Key.isLinked, entry.isLinked, "linked to the user"), (Key.isTracking, entry.isTracking, "used for tracking"),
    ] {
      var flags: [(node: Node, flag: Bool)] = []
      for node in found.compactMap({ $0[key] }) { flags.append((node, try list.flag(node, key.quoted))) }
      let isStrongEnough = !isDeclared || flags.contains(where: \.flag)
      guard flags.isEmpty || !isStrongEnough else { continue }
      let message =
        flags.isEmpty ? "'\(name)' has no \(key.quoted)" : "'\(name)' is \(words), but \(key.quoted) is false"
      report(.undeclaredData, message, at: flags.first?.node ?? node, entry.members)
      set(key, isDeclared, at: flags.first?.node, in: node)
    }
    var purposes: [(node: Node, texts: [String])] = []
    for node in found.compactMap({ $0[Key.purposes] }) {
      purposes.append((node, try list.texts(node, Key.purposes.quoted)))
    }
    let declared = Set(purposes.flatMap(\.texts))
    let missing = entry.purposes.map(\.manifestName).filter { !declared.contains($0) }
    for purpose in missing {
      report(
        .undeclaredData, "'\(name)' has the purpose '\(purpose)', which is not declared",
        at: purposes.first?.node ?? node, entry.members)
    }
    add(missing.map(PropertyListValue.text), to: purposes.first?.node, Key.purposes, in: node)
  }

  private static func value(of entry: PrivacyManifest.Entry) -> PropertyListValue {
    .dictionary([
      .init(Key.dataType.rawValue, .text(entry.dataType.manifestName)),
      .init(Key.isLinked.rawValue, .flag(entry.isLinked)), .init(Key.isTracking.rawValue, .flag(entry.isTracking)),
      .init(Key.purposes.rawValue, .array(entry.purposes.map { .text($0.manifestName) })),
    ])
  }

  // MARK: Reasons

  private mutating func compareReasons(_ entries: [PropertyList.Entry]) throws(PropertyListFailure) {
    let array = entries[Key.accessedAPITypes]
    let dictionaries = try dictionaries(in: array, Key.accessedAPITypes, named: Key.category)
    var missing: [PropertyListValue] = []
    // A dictionary would not keep the order.
    var categories: [String] = []
    for reason in use.reasons where !categories.contains(reason.category) { categories.append(reason.category) }
    for category in categories {
      let reasons = use.reasons.filter { $0.category == category }
      let found = dictionaries.filter { $0.name == category }
      var codes: [(node: Node, texts: [String])] = []
      for node in found.compactMap({ $0.entries[Key.reasons] }) {
        codes.append((node, try list.texts(node, Key.reasons.quoted)))
      }
      let declared = Set(codes.flatMap(\.texts))
      let lacking = reasons.filter { !declared.contains($0.code) }
      for reason in lacking {
        report(
          .undeclaredReason, "'\(category)' has no reason \(reason.code)",
          at: codes.first?.node ?? found.first?.node ?? array, reason.members)
      }
      let values = lacking.map { PropertyListValue.text($0.code) }
      if let node = found.first?.node {
        add(values, to: codes.first?.node, Key.reasons, in: node)
      } else {
        missing.append(
          .dictionary([.init(Key.category.rawValue, .text(category)), .init(Key.reasons.rawValue, .array(values))]))
      }
    }
    add(missing, to: array, Key.accessedAPITypes)
  }

  // MARK: Parts

  /// Returns the dictionaries of an array with the text that names each. One without a name declares nothing.
  private func dictionaries(
    in array: Node?, _ key: Key, named name: Key
  ) throws(PropertyListFailure) -> [(name: String?, node: Node, entries: [PropertyList.Entry])] {
    guard let array else { return [] }
    var result: [(name: String?, node: Node, entries: [PropertyList.Entry])] = []
    for node in try list.array(array, key.quoted) {
      let entries = try list.dictionary(node, "an element of \(key.quoted)")
      let text = try entries[name].map { node throws(PropertyListFailure) in try list.text(node, name.quoted) }
      result.append((text, node, entries))
    }
    return result
  }

  /// Sets a Boolean, which may be missing.
  private mutating func set(_ key: Key, _ flag: Bool, at node: Node?, in dictionary: Node) {
    if let node { edit.set(node, to: flag) } else { edit.add(.init(key.rawValue, .flag(flag)), to: dictionary) }
  }

  /// Adds values to an array, which may be missing.
  private mutating func add(_ values: [PropertyListValue], to array: Node?, _ key: Key, in dictionary: Node? = nil) {
    guard !values.isEmpty else { return }
    if let array {
      for value in values { edit.add(value, to: array) }
    } else {
      edit.add(.init(key.rawValue, .array(values)), to: dictionary ?? list.root)
    }
  }

  private mutating func report(_ rule: Rule, _ message: String, at node: Node?, _ members: [String]) {
    findings.append(
      Diagnostic(
        rule: rule.id, severity: rule.severity, message, at: list.place(of: node ?? list.root),
        help: "write it with `local-data manifest --into \(list.file.path)`",
        notes: [.init("declared by \(MemberList.text(members))")]))
  }
}

extension AppStoreTables.ManifestKey {
  var quoted: String { "'\(rawValue)'" }
}

extension [PropertyList.Entry] {
  subscript(key: AppStoreTables.ManifestKey) -> PropertyList.Node? { self[key.rawValue] }
}
