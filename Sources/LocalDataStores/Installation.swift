import LocalDataFoundation
import LocalDataSystem

/// The installation of the app, which an uninstall ends.
///
/// An uninstall removes the files of the app and leaves its keychain items. So a file, the marker, and a keychain item are
/// created together. If the item exists and the marker does not, the app was installed again. The marker is created first: a
/// process that is killed between the two has an installation that counts as the first one, and no value is removed.
package final class Installation: Sendable {
  /// The text after the account of the master key in the account of the keychain item.
  package static let infix = ".installation."

  private static let itemBytes = Data("LDINST1".utf8)

  private struct Marker: Codable {
    /// The time at which the app was first used after it was installed again, in milliseconds since 1970. Without it no
    /// earlier installation is known.
    var reinstalledAt: Int64?
  }

  private let marker: StateFile<Marker>
  private let keychain: any ValueStore
  private let item: StorageAddress
  private let known = Lock<Marker?>(nil)

  /// - Parameter account: The account of the keychain item, which no other app has.
  package init(marker: FileLocation, keychain: any ValueStore, service: String, account: String, accessGroup: String?) {
    self.marker = StateFile(marker)
    self.keychain = keychain
    item = StorageAddress(
      container: .keychain(service: service, accessGroup: accessGroup, synchronizable: false), name: account)
  }

  /// Returns the time at which this installation began, in milliseconds since 1970; `nil` if no earlier installation is
  /// recorded.
  ///
  /// - Throws: A fault if the marker or the keychain cannot be read or written now. Then the time is unknown.
  package func beginning(now: Int64) throws(StorageProblem) -> Int64? {
    if let known = known.withLock(\.self) { return known.reinstalledAt }
    let attributes = StorageAttributes(accessibility: .afterFirstUnlock)
    let found = try marker.read()
    let hasItem = try keychain.exists(item, attributes)
    let current = if let found { found } else { try marker.create(Marker(reinstalledAt: hasItem ? now : nil)) }
    if !hasItem { try keychain.write(Self.itemBytes, to: item, attributes) }
    known.withLock { $0 = current }
    return current.reinstalledAt
  }
}
