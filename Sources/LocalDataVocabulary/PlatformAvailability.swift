/// On which devices a key exists.
public enum PlatformAvailability: String, Sendable, Hashable, Codable, CaseIterable {
  /// Everywhere.
  case all
  /// Everywhere but on watchOS.
  case phoneOnly
  /// On watchOS alone.
  case watchOnly
  /// Everywhere, owned by the phone and sent to its watch.
  case phoneWithWatchSync
}

/// The platform of a process, as far as availability asks.
public enum StoragePlatform: String, Sendable, Hashable, Codable, CaseIterable {
  /// iOS, macOS and Linux.
  case phone
  /// watchOS.
  case watch
}

extension PlatformAvailability {
  /// Returns true if a key of this availability exists on `platform`.
  public func includes(_ platform: StoragePlatform) -> Bool {
    switch (self, platform) {
    case (.all, _), (.phoneWithWatchSync, _), (.phoneOnly, .phone), (.watchOnly, .watch): true
    case (.phoneOnly, .watch), (.watchOnly, .phone): false
    }
  }
}

extension StoragePlatform {
  /// The platform of this process: the watch on watchOS, the phone elsewhere.
  public static var current: StoragePlatform {
    #if os(watchOS)
      .watch
    #else
      .phone
    #endif
  }
}
