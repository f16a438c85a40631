/// The keychain access group of items whose key names no group.
///
/// Apple's keychain takes a query without a group for a query in all groups of the app. Every query therefore names its
/// group, and a key without one means the default group. No API returns the name of that group, so that it is learned
/// once in a process, from an item that is added without a group.
package final class DefaultAccessGroup: Sendable {
  private let learned = Lock<String?>(nil)
  private let learn: @Sendable () throws(StorageFault) -> String

  /// Creates a default group that `learn` finds out. It may block, and may be called more than once.
  package init(_ learn: @escaping @Sendable () throws(StorageFault) -> String) { self.learn = learn }

  /// Returns the name of the group. The first call blocks on the keychain.
  package func name() throws(StorageFault) -> String {
    if let name = learned.withLock({ $0 }) { return name }
    let name = try learn()
    learned.withLock { $0 = name }
    return name
  }
}

#if !canImport(Security)
  extension DefaultAccessGroup {
    /// The default group of this process. There are no access groups here, so that a key without one has its own address.
    static var system: DefaultAccessGroup? { nil }
  }
#endif
