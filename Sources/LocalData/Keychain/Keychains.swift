/// The keychain of the app, and one for each app group that is used: on Linux each has a keystore of its own, on Apple
/// all are one.
package final class Keychains: Sendable {
  private let locations: StorageLocations
  private let clock: any StorageClock
  private let open = Lock<[KeysetID: KeychainHelper]>([:])

  package init(_ locations: StorageLocations, clock: any StorageClock = SystemClock()) {
    self.locations = locations
    self.clock = clock
  }

  /// The keychain that holds a keyset.
  package subscript(keyset: KeysetID) -> KeychainHelper {
    open.withLock { [locations, clock] open in
      if let known = open[keyset] { return known }
      #if os(Linux)
        let helper = KeychainHelper(locations, keyset, clock: clock)
      #else
        let helper = KeychainHelper()
      #endif
      open[keyset] = helper
      return helper
    }
  }

  /// Drops the keys that they have in memory.
  package func lock() {
    for helper in open.withLock({ Array($0.values) }) { helper.lock() }
  }
}
