package import LocalDataModel
package import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary

/// The entitlements that an app needs for the containers that its catalogs share with other apps and extensions.
package struct Entitlements {
  typealias Kind = AppStoreTables.Entitlement
  typealias Variable = AppStoreTables.Variable

  private let use: StorageUse
  /// The app groups and the access groups, each with the members that need it.
  private let appGroups: [(name: String, members: [String])]
  private let accessGroups: [(name: String, members: [String])]
  /// The members in an app group that only the app's configuration names.
  private let unnamed: [String]

  /// - Parameter configured: The app group that the app configures for keys whose domain names none, if it is known.
  package init(_ catalogs: [ResolvedCatalog], configured: String? = nil) {
    use = StorageUse(catalogs)
    // The keychain shares items among the members of an app group too, under the name of the group.
    var appGroups = use.appGroups.merging(use.accessGroups.filter { $0.key.isAppGroup }) { $0 + $1 }
    if let configured, !use.inConfiguredAppGroup.isEmpty {
      appGroups[configured, default: []] += use.inConfiguredAppGroup
    }
    unnamed = configured == nil ? use.inConfiguredAppGroup : []
    self.appGroups = appGroups.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    accessGroups = use.accessGroups.filter { !$0.key.isAppGroup }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }
}

extension Entitlements {
  /// The entries of a list of entitlements: text to be pasted into its dictionary, or nothing if none is needed.
  package var fragment: String {
    var fields: [PropertyListValue.Field] = []
    if !appGroups.isEmpty {
      let names = appGroups.map { Self.entry($0.name, Variable.appGroupPrefix) }
      fields.append(.init(Kind.appGroups.rawValue, .array(names)))
    }
    if !accessGroups.isEmpty {
      // The first group is the default group. Without this entry, items without a group would be shared.
      let own = use.inDefaultAccessGroup.isEmpty ? [] : [Self.own]
      let names = accessGroups.map { Self.entry($0.name, Variable.accessGroupPrefix) }
      fields.append(.init(Kind.accessGroups.rawValue, .array(own + names)))
    }
    return PropertyListValue.fragment(fields)
  }

  /// A sentence, without its full stop, that lists the members in a group without a name. It is nil if there are none.
  package var unnamedText: String? {
    guard !unnamed.isEmpty else { return nil }
    return "\(MemberList.text(unnamed)) \(Set(unnamed).count == 1 ? "is" : "are") stored in the configured app group"
  }

  private static let own = PropertyListValue.text(Variable.accessGroupPrefix + Variable.bundleIdentifier)

  private static func entry(_ group: String, _ prefix: String) -> PropertyListValue {
    if let configured = ConfiguredName(text: group) { return .text(configured.pattern ?? configured.name) }
    return .text(EntitlementName.afterPrefix(Substring(group)).map { prefix + $0 } ?? group)
  }
}

extension Entitlements {
  /// Returns what a list of entitlements lacks.
  ///
  /// - Throws: A finding about a value of another type than Apple gives it.
  package func findings(in list: PropertyList) throws(PropertyListFailure) -> [Diagnostic] {
    let entries = try list.dictionary(list.root, "a list of entitlements")
    let appNames = try names(.appGroups, in: list, entries)
    let accessNames = try names(.accessGroups, in: list, entries)
    var findings = missing(appGroups, .appGroups, appNames, in: list, entries)
    if !unnamed.isEmpty, appNames.isEmpty {
      findings.append(
        finding(
          "'\(Kind.appGroups.rawValue)' names no group, but keys are stored in the configured app group", .appGroups,
          unnamed, in: list, entries))
    }
    findings += missing(accessGroups, .accessGroups, accessNames, in: list, entries)
    if let shared = sharedDefault(accessNames) {
      var warning = finding(
        "the first access group is the default one, and '\(shared)' is shared: values without an access group are too",
        .accessGroups, use.inDefaultAccessGroup, in: list, entries)
      warning.severity = .warning
      warning.help = "write `\(Variable.accessGroupPrefix)\(Variable.bundleIdentifier)` before it"
      findings.append(warning)
    }
    return findings
  }

  private func missing(
    _ groups: [(name: String, members: [String])], _ kind: Kind, _ names: [String], in list: PropertyList,
    _ entries: [PropertyList.Entry]
  ) -> [Diagnostic] {
    // The app's own access group is no shared one. Another name with an unknown part can be one group, and not two.
    let names = names.map(EntitlementName.init).filter { kind == .appGroups || !$0.isOwn }
    var open = names.filter(\.isOpen)
    return groups.filter { group in
      if let configured = ConfiguredName(text: group.name) { return !names.contains { $0.matches(configured) } }
      if names.contains(where: { !$0.isOpen && $0.matches(group.name) }) { return false }
      guard let index = open.firstIndex(where: { $0.matches(group.name) }) else { return true }
      open.remove(at: index)
      return false
    }.map { group in
      var missing = finding(
        "'\(kind.rawValue)' does not name the group '\(group.name.containerText)'", kind, group.members, in: list,
        entries)
      if kind == .accessGroups, ConfiguredName(text: group.name) == nil,
        EntitlementName.afterPrefix(Substring(group.name)) == nil
      {
        missing.message = "the access group '\(group.name)' does not begin with the identifier of a team"
        missing.help = "write it in the catalog as in `accessGroup: ABCDE12345.\(group.name)`"
      }
      return missing
    }
  }

  /// Returns the declared group that is the default group of the app, if other values are stored in the default group.
  private func sharedDefault(_ names: [String]) -> String? {
    guard !use.inDefaultAccessGroup.isEmpty, let first = names.first else { return nil }
    let name = EntitlementName(first)
    return name.isOwn ? nil : accessGroups.map(\.name).first(where: name.matches)
  }

  private func names(
    _ kind: Kind, in list: PropertyList, _ entries: [PropertyList.Entry]
  ) throws(PropertyListFailure) -> [String] {
    guard let node = entries[kind.rawValue] else { return [] }
    return try list.texts(node, "'\(kind.rawValue)'")
  }

  private func finding(
    _ message: String, _ kind: Kind, _ members: [String], in list: PropertyList, _ entries: [PropertyList.Entry]
  ) -> Diagnostic {
    Diagnostic(
      rule: Rule.missingEntitlement.id, severity: Rule.missingEntitlement.severity, message,
      at: list.place(of: entries[kind.rawValue] ?? list.root),
      help: "add the entry that `local-data entitlements` prints",
      notes: [.init("needed by \(MemberList.text(members))")])
  }
}
