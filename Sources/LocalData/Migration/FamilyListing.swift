import LocalDataFoundation
import LocalDataStores

/// Finds the members of families by the names that are stored in the containers of their sources.
///
/// A name belongs to one family. It is not a member's if it is a registered key's, or a source of a registered key. If several
/// templates can have it, it belongs to the most specific one: the one with the most text between its parameters. If two
/// families are equal in this, the name is an error and stays where it is.
///
/// A member whose source was removed by a process that was killed before it could note that has no name in the container of
/// the source any more. It is found by its own name, if the log notes that its migration has begun.
package struct FamilyListing: Sendable {
  /// A family that could not be listed completely.
  package struct Problem: Sendable, Hashable {
    package let family: StorageError.Subject
    package let source: StorageError.Subject
    package let error: StorageError
  }

  /// A name in a source that would be a member's if only one choice of parameters gave it.
  struct Ambiguous: Sendable {
    let source: MigratingFamily.Source
    let name: String
  }

  /// The members that were found, and what kept others from being found.
  package struct Members: Sendable {
    package var keys: [AnyStorageKey] = []
    package var problems: [Problem] = []
    /// The values of these names stay in the sources.
    var ambiguous: [Ambiguous] = []
  }

  /// A template of a container, and the family that claims its names.
  private struct Claim: Sendable {
    let family: MigratingFamily
    let source: MigratingFamily.Source
    /// The log, if only members are claimed whose migration has begun.
    var begun: MigrationLedger?

    func isWanted(_ name: String) -> Bool {
      guard source.name.matches(name) else { return false }
      let address = StorageAddress(container: source.container, name: name)
      return begun.map { $0.isUnfinished(AddressID(address)) } ?? true
    }
  }

  /// The registered keys and families, besides those that are listed.
  struct Registered: Sendable {
    /// Returns true if an address belongs to a registered key, or is a source of one.
    let isTaken: @Sendable (StorageAddress) -> Bool
    /// Returns the templates of the families in a container.
    let familyNames: @Sendable (StorageContainer) -> [FamilyName]
  }

  private let registered: Registered
  private let isReserved: @Sendable (StorageAddress) -> Bool
  private let claims: [StorageContainer: [Claim]]
  /// The containers in the order of their families.
  let containers: [StorageContainer]
  private var found = Members()
  private var known: Set<StorageAddress> = []

  /// - Parameters:
  ///   - families: The families, each with the log of its keyset.
  ///   - isReserved: Returns true if the library itself stores something at an address.
  init(
    _ families: [(family: MigratingFamily, log: MigrationLedger)], _ registered: Registered,
    isReserved: @escaping @Sendable (StorageAddress) -> Bool
  ) {
    self.registered = registered
    self.isReserved = isReserved
    var claims: [StorageContainer: [Claim]] = [:]
    var containers: [StorageContainer] = []
    func add(_ claim: Claim) {
      let container = claim.source.container
      if claims[container] == nil { containers.append(container) }
      claims[container, default: []].append(claim)
    }
    for (family, log) in families {
      let sources = family.sources + family.followed
      for source in sources { add(Claim(family: family, source: source)) }
      if !sources.contains(where: family.own.isSame), log.hasUnfinished {
        add(Claim(family: family, source: family.own, begun: log))
      }
    }
    self.claims = claims
    self.containers = containers
  }

  /// The members and problems so far.
  var members: Members { found }

  /// Returns true if a name can be a member's.
  func isWanted(_ name: String, in container: StorageContainer) -> Bool {
    (claims[container] ?? []).contains { $0.isWanted(name) }
  }

  /// Adds what went wrong with a container to every family that has a source in it.
  mutating func fail(_ container: StorageContainer, _ fault: StorageProblem) {
    for claim in claims[container] ?? [] {
      let subject = claim.source.subject
      found.problems.append(
        Problem(
          family: claim.family.own.subject, source: subject, error: StorageError(fault, subject)))
    }
  }

  /// Adds the members for the names in a container.
  mutating func add(_ names: [String], in container: StorageContainer) {
    let registeredFamilies = registered.familyNames(container)
    for name in names.sorted() where !isTaken(name, container) {
      let families = registeredFamilies.filter { $0.isMember(name, in: container) }
      let wanted = (claims[container] ?? []).filter { $0.isWanted(name) }
      let claimed = wanted.compactMap { claim in
        claim.family.member(named: name, in: claim.source).map { (claim: claim, key: $0) }
      }
      // The name belongs to the most specific family, with or without a migration.
      let owners = (claimed.map(\.claim.source.name) + families).owners(of: name) { $0 }
      add(claimed.filter { owners.contains($0.claim.source.name) })
      if wanted.count > claimed.count {
        addAmbiguous(name, wanted, besides: claimed.map(\.claim.source.name) + families)
      }
    }
  }

  /// Adds a name of a source that two choices of parameters give, unless it belongs to a more specific family.
  private mutating func addAmbiguous(_ name: String, _ wanted: [Claim], besides others: [FamilyName]) {
    // The names of the family itself are found with its members.
    let ambiguous = wanted.filter { claim in
      claim.begun == nil && !claim.source.isSame(as: claim.family.own)
        && claim.family.isAmbiguous(name, in: claim.source)
    }
    guard !ambiguous.isEmpty else { return }
    let owners = (ambiguous.map(\.source.name) + others).owners(of: name) { $0 }
    for claim in ambiguous where owners.contains(claim.source.name) {
      found.ambiguous.append(Ambiguous(source: claim.source, name: name))
    }
  }

  private mutating func add(_ owners: [(claim: Claim, key: AnyStorageKey)]) {
    guard let (first, key) = owners.first else { return }
    if let other = owners.first(where: { !$0.claim.family.own.isSame(as: first.family.own) })?.claim {
      let problem = Problem(
        family: other.family.own.subject, source: other.source.subject,
        error: StorageError(.invalidCatalog(.sharedSource), other.family.own.subject))
      if !found.problems.contains(problem) { found.problems.append(problem) }
      return
    }
    let address = StorageAddress(container: first.family.own.container, name: key.name)
    if known.insert(address).inserted { found.keys.append(key) }
  }

  private func isTaken(_ name: String, _ container: StorageContainer) -> Bool {
    let address = StorageAddress(container: container, name: name)
    return registered.isTaken(address) || isReserved(address)
  }
}
