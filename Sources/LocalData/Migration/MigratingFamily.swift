import LocalDataFoundation
import LocalDataStores

/// A family whose members have a migration, with the containers that contain the names of its members' sources.
package final class MigratingFamily: Sendable {
  /// A template of names in a container. It is a class, because it is copied often.
  package final class Source: Sendable {
    let family: StorageKeyFamily
    var subject: StorageError.Subject { family.subject }
    package let container: StorageContainer
    package let name: FamilyName

    init(_ family: StorageKeyFamily, in container: StorageContainer) {
      self.family = family
      self.container = container
      name = FamilyName(family.name)
    }

    /// Returns true if both are the same template in the same container.
    func isSame(as other: Source) -> Bool { address == other.address }

    /// The template as a name in the container.
    var address: StorageAddress { StorageAddress(container: container, name: subject.key ?? "").item }
  }

  /// The family itself.
  let own: Source
  /// The templates that the members' migrations name.
  package let sources: [Source]
  /// The templates of the sources' own migrations, which are followed.
  package let followed: [Source]
  private let migration: FamilyMigration

  /// Creates a family, or `nil` if its members have no migration.
  ///
  /// - Parameter container: Works out the container of a domain.
  package init?(
    _ family: StorageKeyFamily, container: (StorageKeyFamily) throws(StorageError) -> StorageContainer
  ) throws(StorageError) {
    guard let migration = family.migration else { return nil }
    func source(_ family: StorageKeyFamily) throws(StorageError) -> Source { Source(family, in: try container(family)) }
    self.migration = migration
    own = try source(family)
    sources = try Self.map(migration.sources, source)
    var followed: [Source] = []
    var next = migration.sources
    // Templates that lead back to one that is known are refused with the first member; they end the search.
    while let family = next.popLast() {
      for inner in family.migration?.sources ?? [] {
        let found = try source(inner)
        guard !([own] + sources + followed).contains(where: found.isSame) else { continue }
        followed.append(found)
        next.append(inner)
      }
    }
    self.followed = followed
  }

  private static func map(
    _ families: [StorageKeyFamily], _ source: (StorageKeyFamily) throws(StorageError) -> Source
  ) throws(StorageError) -> [Source] {
    var sources: [Source] = []
    for family in families { sources.append(try source(family)) }
    return sources
  }

  /// Returns the member whose value a source stores under a name, or `nil` if the name is not that of a member.
  /// Also `nil` if the name is that of two members, which is only possible in a source with verbatim parameters.
  func member(named name: String, in source: Source) -> AnyStorageKey? {
    source.name.refuses(name) ? nil : firstMember(named: name, in: source)
  }

  /// Returns true if a source's name would be that of a member if only one choice of parameters gave it.
  func isAmbiguous(_ name: String, in source: Source) -> Bool {
    source.name.refuses(name) && firstMember(named: name, in: source) != nil
  }

  private func firstMember(named name: String, in source: Source) -> AnyStorageKey? {
    source.name.firstMember(of: name) { values in
      guard let key = migration.member(values), key.migration != nil, !key.options.isLegacy,
        key.options.declaredName == own.subject.key, key.name == own.name.member(values)
      else { return nil }
      return key
    }
  }

  /// Members with parameters that are probably possible for every type of parameter. May be empty.
  ///
  /// They show rules that hold for all members, and names that two templates have in common.
  var samples: [(values: [String: String], key: AnyStorageKey)] {
    own.name.sampleValues.compactMap { values in
      guard let name = own.name.member(values) else { return nil }
      return member(named: name, in: own).map { (values, $0) }
    }
  }
}

extension FamilyName {
  /// Choices of escaped values: texts, numbers and UUIDs.
  fileprivate var sampleValues: [[String: String]] {
    let texts = ["a", "1", "00000000-0000-0000-0000-000000000000"]
    var choices: [[String: String]] = [[:]]
    // Three parameters of three types are twenty-seven choices. With more, the rest is like the first.
    for parameter in parameters.prefix(3) {
      choices = choices.flatMap { choice in texts.map { choice.merging([parameter: $0]) { $1 } } }
    }
    return choices.map { choice in
      choice.merging(parameters.dropFirst(3).map { ($0, choice[parameters[0]] ?? "a") }) { $1 }
    }
  }
}

extension StorageKeyFamily {
  /// The family as errors name it.
  package var subject: StorageError.Subject { .init(key: name, domain: domain.kind) }
}
