public import Foundation
public import LocalData
import LocalDataFoundation

/// Functions for quarantined values: values that did not decode, and were moved aside because the `onCorruption` of their key
/// is ``CorruptionPolicy/quarantine``.
extension Maintenance {
  /// A quarantined value. Its description contains neither the value nor a parameter of a family.
  public struct QuarantinedValue: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The declared name of the value's key and the kind of domain. The name is `nil` if the value belongs to no registered
    /// key, or if its file is damaged.
    public let key: StorageError.Subject
    /// The number of stored bytes of the value. For a damaged file it is the size of the file.
    public let size: Int
    /// The time at which the value was moved aside, or encrypted again by ``Maintenance/rotateKeys(progress:)``.
    public let date: Date
    let content: Content

    enum Content: Sendable, Hashable {
      case copy(QuarantinedCopy)
      case damaged(DamagedCopy)
    }

    /// A Boolean value that indicates whether the file of the value is damaged. Its key is not known then, and it cannot be
    /// restored.
    public var isDamaged: Bool { if case .damaged = content { true } else { false } }

    /// `'theme' in userDefaults, 7 bytes`, or `a damaged file, 107 bytes`.
    public var description: String { "\(isDamaged ? "a damaged file" : "\(key)"), \(size) bytes" }
    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// Returns the quarantined values of the app, and then of each app group of registered keys. In each group the oldest value
  /// comes first.
  ///
  /// ```swift
  /// for value in try await router.maintenance.quarantined() { print(value) }   // 'theme' in userDefaults, 7 bytes
  /// ```
  ///
  /// Register every catalog of the app first. Values that belong to no registered key have a `key` without a name. Damaged
  /// files, whose keys are not known, come last. Files of a later version of the library are not returned.
  ///
  /// - Returns: The quarantined values. The function reads only the beginning of each file.
  /// - Throws: A ``StorageError`` if a folder cannot be listed or a file cannot be read. It names no key.
  @concurrent public func quarantined() async throws(StorageError) -> [QuarantinedValue] {
    let registered = RegisteredKeyIndex(router)
    let quarantine = router.values(for: nil).services.quarantine
    var values: [QuarantinedValue] = []
    for keyset in router.setup.withLock(\.registry.keysets) {
      let (copies, damaged) = try await blocking(.read) { () throws(StorageProblem) in
        (try quarantine.copies(of: keyset), try quarantine.damaged(of: keyset))
      }
      values += copies.map { copy in
        QuarantinedValue(
          key: registered.subject(of: copy.address) ?? .none, size: copy.size, date: copy.date, content: .copy(copy))
      }
      values += damaged.map { copy in
        QuarantinedValue(key: .none, size: copy.size, date: copy.date, content: .damaged(copy))
      }
    }
    return values
  }

  /// Stores a quarantined value again, if this release can decode it.
  ///
  /// If a later release decodes the bytes again, it can restore them:
  ///
  /// ```swift
  /// for value in try await router.maintenance.quarantined() where value.key.key == "theme" {
  ///   print(try await router.maintenance.restore(value))   // true
  /// }
  /// ```
  ///
  /// The value is stored like a new value of its key: it is encrypted with the current encryption key, observers are notified,
  /// and it is sent if the key's sync policy is `automaticSmall`. The value is on the disk before the quarantined copy is
  /// removed. If the process is killed in between, call the function again.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - replacing: True if another value of the key may be overwritten.
  /// - Returns: True if the value is stored now. False if the quarantined value does not exist any more, because another
  ///   process has restored or removed it.
  /// - Throws: ``StorageProblem/Code/alreadyStored`` if the key has another value and `replacing` is false. If the key's
  ///   migration has not run yet, it runs first. ``StorageProblem/Code/cannotDecode`` and ``StorageProblem/Code/corrupted`` if this
  ///   release cannot decode the bytes either, or if its family has no function that makes its members' keys.
  ///   ``StorageProblem/Code/quarantinedFileDamaged`` if the file is damaged, or if only the keychain protects values of the key,
  ///   because such values are never quarantined. ``StorageProblem/Code/unregistered`` if no registered
  ///   key has the value's address. ``StorageProblem/Code/authenticationFailed`` and ``StorageProblem/Code/keyMaterialMissing`` if
  ///   the value cannot be decrypted. Every other ``StorageError`` if it cannot be stored. After an error the value stays
  ///   quarantined.
  @discardableResult
  @concurrent public func restore(_ value: QuarantinedValue, replacing: Bool = false) async throws(StorageError) -> Bool
  {
    guard case .copy(let copy) = value.content else { throw StorageError(.quarantinedFileDamaged, value.key) }
    let key = try await RegisteredAddresses(router).key(of: copy.address, value.key)
    // No such file is made from an item that is not encrypted, and nothing authenticates its bytes.
    if copy.address.container.store == .keychain {
      guard case .encrypted = key.security else { throw StorageError(.quarantinedFileDamaged, value.key) }
    }
    return try await router.change(key, .restore, .readOrRemove) { (router, change) throws(StorageError) in
      // This also runs after an error, because the value may be stored all the same.
      defer { change.plan.hook?.noteChange() }
      // The value of the key may still be at a source.
      if !replacing { try await router.prepare(key, change.plan) }
      let prepared = try await change.prepare(.write)
      let values = router.values(for: change.plan)
      let isRestored = try await values.restore(copy, key.coding, change.plan, replacing: replacing)
      try await change.conclude(prepared)
      if !isRestored, try await isDamaged(copy) { throw StorageError(.quarantinedFileDamaged, change.plan.subject) }
      return (isRestored, nil)
    }
  }

  /// Removes quarantined values. They cannot be restored after that.
  ///
  /// ```swift
  /// let values = try await router.maintenance.quarantined()
  /// print(try await router.maintenance.removeQuarantined(values))                                     // 2
  /// print(try await router.maintenance.removeQuarantined(values.filter { $0.key.key == "theme" }))   // 0
  /// ```
  ///
  /// `remove` of a key also removes the key's quarantined values. Only this function removes damaged files.
  ///
  /// - Parameters:
  ///   - values: The values, for example all that ``quarantined()`` returns, or those of one key.
  ///   - progress: Called after each value.
  /// - Returns: The number of removed values. Values that did not exist any more are not counted.
  /// - Throws: A ``StorageError`` if a value cannot be removed. The next call removes the remaining values.
  @discardableResult
  @concurrent public func removeQuarantined(
    _ values: [QuarantinedValue], progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(StorageError) -> Int {
    let quarantine = router.values(for: nil).services.quarantine
    var count = 0
    var completed = 0
    let total = values.count
    for (keyset, contents) in Dictionary(grouping: values.map(\.content), by: \.keyset) {
      let names = contents.map(\.name)
      count += try await blocking { [completed] () throws(StorageProblem) in
        try quarantine.remove(names, of: keyset) { progress(Progress(completed: completed + $0, total: total)) }
      }
      completed += names.count
    }
    return count
  }

  /// Returns true if the file of a value has been damaged since it was listed.
  private func isDamaged(_ copy: QuarantinedCopy) async throws(StorageError) -> Bool {
    let quarantine = router.values(for: nil).services.quarantine
    return try await blocking(.read) { () throws(StorageProblem) in
      try quarantine.damaged(of: copy.keyset).contains { $0.name == copy.name }
    }
  }
}

extension RegisteredAddresses {
  /// Returns the registered key that a value belongs to.
  fileprivate func key(
    of address: StorageAddress, _ subject: StorageError.Subject
  ) throws(StorageError) -> AnyStorageKey {
    switch owner(of: address.name, in: address.container) {
    case .key(let index): return keys[index].key
    case .family(let index):
      guard let key = families[index].family.members?(address.name) else { throw StorageError(.cannotDecode, subject) }
      return key
    case .reserved, .source, .library, nil: throw StorageError(.unregistered, subject)
    }
  }
}

extension Maintenance.QuarantinedValue.Content {
  fileprivate var keyset: KeysetID {
    switch self {
    case .copy(let copy): KeysetID(of: copy.address.container)
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
