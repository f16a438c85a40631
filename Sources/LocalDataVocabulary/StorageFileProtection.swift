/// The times at which the system lets an app read a file, the strongest protection first.
public enum StorageFileProtection: String, Sendable, Hashable, Codable, CaseIterable {
  /// While the device is unlocked.
  case complete
  /// While the device is unlocked, and afterwards if the file is open.
  case completeUnlessOpen
  /// From the first unlock after the device has started.
  case untilFirstUnlock
  /// Always, also before the first unlock. The system does not protect the file.
  case none
}
