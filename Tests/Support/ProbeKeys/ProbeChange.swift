@_spi(Generated) package import LocalData

/// A verb of the router and the values that it changes in one place, the same in every process.
package struct ProbeChange: Sendable, CustomStringConvertible {
  package enum Verb: String, Sendable {
    /// Sets two values and removes a third one, together.
    case transaction
    /// Creates a value with `get(_:orSet:)`.
    case create
    case removeCatalog, removeFamily
    /// Removes the values of one account of two.
    case removeAccount
    /// Sets or removes a plain preference with `setValue(_:for:)`.
    case setValue, removeValue
  }

  package let verb: Verb
  package let address: ProbeAddress

  package init(_ verb: Verb, in address: ProbeAddress) { (self.verb, self.address) = (verb, address) }

  package var description: String { "\(verb) in \(address)" }

  /// A Boolean value that indicates whether each value is changed alone, so that some of them may have changed.
  package var isOneByOne: Bool { verb == .removeCatalog || verb == .removeFamily || verb == .removeAccount }

  /// The keys of the values.
  package var keys: [StorageKey<Int?>] {
    switch verb {
    case .transaction: [key("first"), key("second"), key("third")]
    case .create: [key("first"), key("second")]
    case .removeCatalog: [key("first"), key("second"), member(1)]
    case .removeFamily: (1...3).map(member)
    case .removeAccount: [account("a", 1), account("a", 2), account("b", 1)]
    case .setValue, .removeValue: [key("first")]
    }
  }

  /// The values that ``seed(_:)`` stores.
  package var before: [Int?] { verb == .create ? [nil, 2] : keys.indices.map { $0 + 1 } }

  /// The values after the change.
  ///
  /// - Parameter before: The values before it.
  package func values(after before: [Int?]) -> [Int?] {
    switch verb {
    case .transaction: [10, 20, nil]
    case .create: [10, before[1]]
    case .removeCatalog, .removeFamily, .removeValue: keys.map { _ in nil }
    case .removeAccount: [nil, nil, before[2]]
    case .setValue: [10]
    }
  }

  /// Stores the values that the change finds.
  package func seed(_ router: StorageRouter) async throws(StorageError) {
    for (key, value) in zip(keys, before) { try await router.set(value, for: key) }
  }

  /// Makes the change.
  package func run(on router: StorageRouter) async throws {
    let keys = keys
    switch verb {
    case .transaction:
      try await router.transaction { transaction in
        try await transaction.set(10, for: keys[0])
        try await transaction.set(20, for: keys[1])
        try await transaction.remove(keys[2])
      }
    case .create: _ = try await router.get(keys[0], orSet: 10)
    case .removeCatalog: try await ProbeCatalog.removeAll(keys.prefix(2).map { .key($0) }, [family], on: router)
    case .removeFamily: try await router.removeAll(of: family)
    case .removeAccount:
      try ProbeCatalog.register([], [accounts], on: router)
      try await router.removeAll(where: ["account": "a"])
    case .setValue: try router.setValue(10, for: keys[0])
    case .removeValue: try router.setValue(nil, for: keys[0])
    }
  }

  private var security: SecurityPolicy { verb == .setValue || verb == .removeValue ? .none : address.security }

  private var family: StorageKeyFamily {
    StorageKeyFamily(name: "page_{number}", domain: address.domain, security: security)
  }

  private func member(_ number: Int) -> StorageKey<Int?> { StorageKey(family, "page_\(number)", .json) }

  private var accounts: StorageKeyFamily {
    StorageKeyFamily(name: "page_{account}_{number}", domain: address.domain, security: security)
  }

  private func account(_ account: String, _ number: Int) -> StorageKey<Int?> {
    StorageKey(accounts, "page_\(account)_\(number)", .json)
  }

  private func key(_ name: String) -> StorageKey<Int?> {
    StorageKey<Int?>(name: name, domain: address.domain, security: security, owner: "Tests", description: "A number.")
  }
}
