public import Foundation
import StorageVocabulary

/// Functions for the values that were moved aside, because they were no values of their keys and `onCorruption` is
/// ``CorruptionPolicy/quarantine``.
extension Maintenance {
  /// A value that was moved aside. Its description contains neither the value nor a parameter of a family.
  public struct QuarantinedValue: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The declared name of its key and the kind of domain. The name is `nil` if no registered key has its address, or if the
    /// value is damaged.
    public let key: StorageError.Subject
    /// The number of its bytes as they were stored.
    public let size: Int
    /// The time at which it was moved aside, or encrypted again by ``Maintenance/rotateKeys(progress:)``.
    public let date: Date
    let content: Content

    enum Content: Sendable, Hashable {
      case copy(QuarantinedCopy)
      case damaged(DamagedCopy)
    }

    /// A Boolean value that indicates whether the file is damaged, so that its key is not known. It cannot be restored.
    public var isDamaged: Bool { if case .damaged = content { true } else { false } }

    /// `'theme' in userDefaults, 7 bytes`, or `a damaged file, 107 bytes`.
    public var description: String { "\(isDamaged ? "a damaged file" : "\(key)"), \(size) bytes" }
    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// Returns the values that were moved aside: those of the app, and then those of each app group of registered keys, the oldest
  /// first.
  ///
  /// ```swift
  /// for value in try await router.maintenance.quarantined() { print(value) }   // 'theme' in userDefaults, 7 bytes
  /// ```
  ///
  /// Register every catalog of the app first. Values that belong to no registered key have a `key` without a name. Damaged
  /// files, whose keys are not known, come last. Files of a later version of the library are left out.
  ///
  /// - Returns: The values. It reads none of them.
  /// - Throws: What keeps a folder of them from being listed.
  public func quarantined() async throws(StorageError) -> [QuarantinedValue] {
    let (registered, quarantine) = (RegisteredValues(router), router.values(for: nil).services.quarantine)
    var values: [QuarantinedValue] = []
    for keyset in router.setup.withLock(\.registry.keysets) {
      let contents = try await blocking(.read) { () throws(StorageFault) in try quarantine.contents(of: keyset) }
      values += contents.copies.map { copy in
        QuarantinedValue(
          key: registered.subject(of: copy.place) ?? .none, size: copy.size, date: copy.date, content: .copy(copy))
      }
      values += contents.damaged.map { copy in
        QuarantinedValue(key: .none, size: copy.size, date: copy.date, content: .damaged(copy))
      }
    }
    return values
  }

  /// Stores a value again that was moved aside, if this release decodes it.
  ///
  /// A release that decodes the bytes of an earlier one again can give them back to their keys:
  ///
  /// ```swift
  /// for value in try await router.maintenance.quarantined() where value.key.key == "theme" {
  ///   print(try await router.maintenance.restore(value))   // true
  /// }
  /// ```
  ///
  /// The value is stored as a new one of its key: it is encrypted with the current key, observers see it, and a synced value is
  /// sent as the key's policy says. It is on the disk before what was moved aside is removed. If the process is killed between,
  /// call the function again.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - replacing: A Boolean value that indicates whether another value of the key may be replaced.
  /// - Returns: True if the value is stored now, and false if it is not among those that were moved aside any more, because
  ///   another process has restored or removed it.
  /// - Throws: ``StorageError/alreadyStored(_:)`` if the key has another value and `replacing` is false. A value that the key's
  ///   migration has not moved yet is moved first.
  ///   ``StorageError/cannotDecode(_:)`` and ``StorageError/corrupted(_:)`` if the bytes are no value of the key in this
  ///   release either, or if its family does not say which keys its members have.
  ///   ``StorageError/quarantinedFileDamaged(_:)`` if the file is damaged.
  ///   ``StorageError/unregistered(_:)`` if no registered key has the value's address.
  ///   ``StorageError/authenticationFailed(_:)`` and ``StorageError/keyMaterialMissing(_:)`` if it cannot be decrypted, and
  ///   what keeps it from being stored. It stays aside then.
  @discardableResult
  public func restore(_ value: QuarantinedValue, replacing: Bool = false) async throws(StorageError) -> Bool {
    guard case .copy(let copy) = value.content else { throw .quarantinedFileDamaged(value.key) }
    let key = try await owner(of: copy, value.key)
    return try await router.log.begin(.restore, key).run { () throws(StorageError) in
      let plan = try await router.plan(for: key)
      let waits = CallWaits(ofChangeOf: plan, router.timeout)
      let isRestored = try await router.inTurn(at: plan.place, plan.subject, waits) { router throws(StorageError) in
        // Also if it throws, because the value may be stored all the same.
        defer { router.sync.noteChange(plan) }
        return try await KeyChange(key: key, plan: plan, router: router).restore(copy, replacing: replacing)
      }
      if let waits { await router.sync.catchUpIfBehind(waits) }
      if !isRestored, try await isDamaged(copy) { throw .quarantinedFileDamaged(plan.subject) }
      return isRestored
    }
  }

  /// Removes values that were moved aside. They cannot be restored after that.
  ///
  /// ```swift
  /// let values = try await router.maintenance.quarantined()
  /// print(try await router.maintenance.removeQuarantined(values))                                     // 2
  /// print(try await router.maintenance.removeQuarantined(values.filter { $0.key.key == "theme" }))   // 0
  /// ```
  ///
  /// `remove` of a key removes the values that were moved aside from it too. Damaged files are removed by this function alone.
  ///
  /// - Parameter values: The values, for example all that ``quarantined()`` returns, or those of one key.
  /// - Returns: The number of values that were removed. Those that were not there any more are not counted.
  /// - Throws: What keeps a value from being removed. The next call removes the others.
  @discardableResult
  public func removeQuarantined(_ values: [QuarantinedValue]) async throws(StorageError) -> Int {
    let quarantine = router.values(for: nil).services.quarantine
    var count = 0
    for (keyset, contents) in Dictionary(grouping: values.map(\.content), by: \.keyset) {
      let names = Set(contents.map(\.name))
      count += try await blocking { () throws(StorageFault) in try quarantine.remove(names, of: keyset) }
    }
    return count
  }

  /// Returns true if the file of a value has been damaged since it was listed.
  private func isDamaged(_ copy: QuarantinedCopy) async throws(StorageError) -> Bool {
    let quarantine = router.values(for: nil).services.quarantine
    return try await blocking(.read) { () throws(StorageFault) in
      try quarantine.contents(of: copy.keyset).damaged.contains { $0.name == copy.name }
    }
  }

  /// Returns the registered key that a value belongs to.
  private func owner(
    of copy: QuarantinedCopy, _ subject: StorageError.Subject
  ) async throws(StorageError) -> AnyStorageKey {
    let (addresses, place) = (await RegisteredAddresses(router), copy.place)
    switch addresses.owner(of: place.name, in: place.container) {
    case .key(let index): return addresses.keys[index].key
    case .family(let index):
      guard let key = addresses.families[index].family.members?(place.name) else { throw .cannotDecode(subject) }
      return key
    case .reserved, .source, .library, nil: throw .unregistered(subject)
    }
  }
}

extension Maintenance.QuarantinedValue.Content {
  fileprivate var keyset: KeysetID {
    switch self {
    case .copy(let copy): KeysetID(of: copy.place.container)
    case .damaged(let copy): copy.keyset
    }
  }

  fileprivate var name: String {
    switch self {
    case .copy(let copy): copy.name
    case .damaged(let copy): copy.name
    }
  }
}
