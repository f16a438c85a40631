package import LocalDataModel
import LocalDataVocabulary

/// The parts of the system that the catalogs of an app use: preferences, files and shared containers.
///
/// Sources of migrations and reserved names whose leftovers are deleted count as well, because the app reads or removes
/// what is stored there.
package struct StorageUse {
  /// The members that use each app group and each access group, in the order of the catalogs.
  private(set) var appGroups: [String: [String]] = [:]
  private(set) var accessGroups: [String: [String]] = [:]
  /// The members in the app group that the app configures.
  private(set) var inConfiguredAppGroup: [String] = []
  /// The members in the default access group of the app: items of the keychain without a group, and encrypted values,
  /// whose master key is such an item.
  private(set) var inDefaultAccessGroup: [String] = []
  private(set) var preferences: [String] = []
  private(set) var groupPreferences: [String] = []
  /// All members.
  private(set) var members: [String] = []

  package init(_ catalogs: [ResolvedCatalog]) {
    for catalog in catalogs {
      for key in catalog.keys { add(key) }
      for name in catalog.reserved where name.deletesLeftovers { add(name.domain, of: name.name) }
      for database in catalog.databases { add(database) }
      for record in catalog.records where record.fields.contains(where: { $0.encryption != .none }) {
        inDefaultAccessGroup.append(record.name)
      }
    }
  }

  private mutating func add(_ key: ResolvedKey) {
    let member = key.descriptor.member
    add(key.descriptor.domain, of: member)
    for domain in key.migration?.sourceDomains ?? [] { add(domain, of: member) }
    if case .encrypted(let policy) = key.descriptor.security, policy.keySource == .masterKey {
      inDefaultAccessGroup.append(member)
    }
  }

  private mutating func add(_ database: ResolvedDatabase) {
    add(database.domain, of: database.member)
    for address in database.movedFrom { add(address.domain, of: database.member) }
  }

  private mutating func add(_ domain: StorageDomain, of member: String) {
    if members.last != member { members.append(member) }
    let kind = domain.kind
    let fields = domain.fields
    if kind.isPreferences {
      if kind.isAppGroup { groupPreferences.append(member) } else { preferences.append(member) }
    }
    if kind.isAppGroup { addGroup(fields.identifier, of: member) }
    guard kind == .keychain else { return }
    if let group = fields.accessGroup {
      accessGroups[group, default: []].append(member)
    } else {
      inDefaultAccessGroup.append(member)
    }
  }

  private mutating func addGroup(_ identifier: String?, of member: String) {
    if let identifier { appGroups[identifier, default: []].append(member) } else { inConfiguredAppGroup.append(member) }
  }
}

extension StorageUse {
  /// A reason that the app states for a category of APIs.
  package struct Reason {
    package var category: String
    package var code: String
    /// The members because of which the reason is needed.
    var members: [String]
  }

  /// The reasons for the APIs of the declared domains.
  ///
  /// SwiftPM links the library into the app, so that App Store Connect finds its calls in the app. The library reads kinds,
  /// sizes and times of its files for keys of every domain.
  package var reasons: [Reason] {
    [
      Reason(category: "NSPrivacyAccessedAPICategoryUserDefaults", code: "CA92.1", members: preferences),
      Reason(category: "NSPrivacyAccessedAPICategoryUserDefaults", code: "1C8F.1", members: groupPreferences),
      Reason(category: "NSPrivacyAccessedAPICategoryFileTimestamp", code: "C617.1", members: members),
    ].filter { !$0.members.isEmpty }
  }
}

extension ResolvedMigration {
  /// The domains of the sources that no key declares.
  fileprivate var sourceDomains: [StorageDomain] {
    steps.flatMap { step -> [StorageDomain] in
      switch step.action {
      case .move(let source), .transform(let source, _): [source.domain]
      case .aggregate(let sources, _): sources.map(\.domain)
      case .secureInPlace(let domain, _): [domain]
      case .custom: []
      }
    }
  }
}

extension ResolvedMigration.Source {
  fileprivate var domain: StorageDomain {
    switch self {
    case .declared(let declared): declared.domain
    case .inline(let inline): inline.domain
    }
  }
}

/// The platform of an app, as far as the availability of keys asks.
package enum AppPlatform: String, Sendable, CaseIterable {
  /// All systems but watchOS.
  case phone
  case watch
}

extension [ResolvedCatalog] {
  /// Returns the catalogs with the keys that exist on a platform. Databases and records exist on each.
  package func on(_ platform: AppPlatform) -> [ResolvedCatalog] {
    let platform: StoragePlatform = platform == .phone ? .phone : .watch
    return map { catalog in
      var catalog = catalog
      catalog.keys.removeAll { !$0.descriptor.availability.includes(platform) }
      return catalog
    }
  }
}

/// Names of members in a sentence: `theme, token and 3 more`.
enum MemberList {
  private static let shown = 5

  static func text(_ members: [String]) -> String {
    var seen: Set<String> = []
    let names = members.filter { seen.insert($0).inserted }.map { "'\($0)'" }
    guard names.count > shown else {
      return names.count < 2
        ? names.joined() : "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
    }
    return names.prefix(shown).joined(separator: ", ") + " and \(names.count - shown) more"
  }
}
