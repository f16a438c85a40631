import LocalDataFoundation
import LocalDataSystem

#if canImport(Security)
  internal import Security
#endif

/// The keychain access group of items whose key names no group.
///
/// Apple's keychain takes a query without a group for a query in all groups of the app. Every query therefore names its
/// group, and a key without one means the default group. No API returns the name of that group, so that it is learned
/// once in a process, from an item that is added without a group.
package final class DefaultAccessGroup: Sendable {
  private let learned = Lock<String?>(nil)
  private let learn: @Sendable () throws(StorageProblem) -> String

  /// Creates a default group that `learn` finds out. It may block, and may be called more than once.
  package init(_ learn: @escaping @Sendable () throws(StorageProblem) -> String) { self.learn = learn }

  /// Returns the name of the group. The first call blocks on the keychain.
  package func name() throws(StorageProblem) -> String {
    if let name = learned.withLock({ $0 }) { return name }
    let name = try learn()
    learned.withLock { $0 = name }
    return name
  }
}

#if canImport(Security)
  /// The default group of a store. It is recorded with the first item: if a later release has another default group, the items
  /// would seem to be absent.
  package final class KnownAccessGroup: Sendable {
    private let group: DefaultAccessGroup
    private let record: FileLocation?
    /// A Boolean value that indicates whether the group is known to be the recorded one.
    private let isRecorded = Lock(false)

    init(_ group: DefaultAccessGroup, in record: FileLocation?) {
      self.group = group
      self.record = record
    }

    /// Returns the name of the group for a call that stores no item.
    func name() throws(StorageProblem) -> String { try name(isWriting: false) }

    /// Returns the name of the group, and records it before an item is stored.
    func nameForWriting() throws(StorageProblem) -> String { try name(isWriting: true) }

    private func name(isWriting: Bool) throws(StorageProblem) -> String {
      let name = try group.name()
      guard let record, !isRecorded.withLock(\.self) else { return name }
      if try KnownLocation(accessGroup: name).check(record, isWriting: isWriting) {
        isRecorded.withLock { $0 = true }
      }
      return name
    }
  }

  extension DefaultAccessGroup {
    /// The default group of this process, shared by all routers.
    package static var system: DefaultAccessGroup? { shared }

    package static let shared = DefaultAccessGroup(learnFromAddedItem)

    private static let service = "LocalData.DefaultAccessGroup"

    /// Adds an item without a group, reads the group that the system chose, and removes the item.
    ///
    /// An item that was found instead of added may belong to another app's default group. So every call adds a new one.
    package static func learnFromAddedItem() throws(StorageProblem) -> String {
      // Before the first unlock only an item that is always accessible can be added. Its constant is deprecated, so that
      // it is the second choice.
      do throws(StorageProblem) { return try learn(kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly) } catch {
        guard error == .locked else { throw error }
        return try learn(KeychainAccessibility.alwaysThisDeviceOnly.constant)
      }
    }

    private static func learn(_ accessibility: CFString) throws(StorageProblem) -> String {
      let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecUseDataProtectionKeychain as String: true,
        kSecAttrService as String: service,
        kSecAttrAccount as String: UUID().uuidString,
        kSecAttrAccessible as String: accessibility,
        kSecReturnAttributes as String: true,
      ]
      var added: CFTypeRef?
      let status = SecItemAdd(item as CFDictionary, &added)
      guard status == KeychainStatus.success else { throw KeychainStatus.fault(status) }
      guard let attributes = added as? [String: Any],
        let group = attributes[kSecAttrAccessGroup as String] as? String, !group.isEmpty
      else { throw .io(errno: KeychainStatus.parameter) }
      removeItems(in: group)
      return group
    }

    /// Removes the added item, and those of processes that were killed before they removed theirs.
    private static func removeItems(in group: String) {
      // An item that stays is removed by the next process.
      _ = SecItemDelete(
        [
          kSecClass as String: kSecClassGenericPassword,
          kSecUseDataProtectionKeychain as String: true,
          kSecAttrService as String: service,
          kSecAttrAccessGroup as String: group,
        ] as [String: Any] as CFDictionary)
    }
  }
#else
  extension DefaultAccessGroup {
    /// The default group of this process. There are no access groups here, so that a key without one has its own address.
    package static var system: DefaultAccessGroup? { nil }
  }
#endif
