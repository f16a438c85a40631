import Foundation
import LocalData
import Security
import LocalDataVocabulary

private let name = "moved"
private let suite = "powerLoss"

private struct Origin {
  let what: String
  let key: StorageKey<String?>

  init(_ what: String, _ domain: StorageDomain, _ security: SecurityPolicy) {
    (self.what, key) = (what, text(name, domain, security))
  }

  static let all = [
    Origin("a file", .fileSystem(directory: .documents), .none),
    Origin("an encrypted file", .encryptedFileSystem(directory: .applicationSupport), .recommended),
    Origin("the keychain", .keychain(service: "powerLoss"), .keychain()),
    Origin("another suite", .userDefaults(suite: "powerLossOrigin"), .none),
  ]

  /// The key of a release that stores the value as a preference.
  func moved(security: SecurityPolicy = .none) -> StorageKey<String?> {
    text(name, .userDefaults(suite: suite), security) { [key] destination in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: destination, sourceKey: AnyStorageKey(key)))
    }
  }
}

/// The system stops before it has written the preferences that were set in the last seconds.
private func losePreferences() {
  for name in [name, "LocalData.sentinel"] { UserDefaults(suiteName: suite)?.removeObject(forKey: name) }
}

/// Checks what is left of preferences that the system writes later than files.
func powerLossChecks(_ checks: Checks) async {
  for origin in Origin.all {
    await checks.check("power loss: a value that moves from \(origin.what) to a preference is never lost") {
      let device = Device()
      losePreferences()
      try await device.launch().set("precious", for: origin.key)
      try expect(try await device.launch().get(origin.moved()), "precious", "the move")
      losePreferences()
      try expect(try await device.launch().get(origin.moved()), "precious", "after the loss")
      losePreferences()
      try expect(try await device.launch().get(origin.moved()), "precious", "after another loss")
      // The preference is written. The next launch removes the source.
      try expect(try await device.launch().get(origin.moved()), "precious", "the next launch")
      try expect(try await device.launch().exists(origin.key), false, "the source exists")
      try expect(try await device.launch().get(origin.moved()), "precious", "after the end of the move")
    }
    await checks.check("power loss: a removal soon after the move from \(origin.what) removes the source too") {
      let device = Device()
      losePreferences()
      try await device.launch().set("precious", for: origin.key)
      let router = try device.launch()
      try expect(try await router.get(origin.moved()), "precious", "the move")
      try await router.remove(origin.moved())
      try expect(try await device.launch().get(origin.moved()), nil, "value")
      try expect(try await device.launch().exists(origin.key), false, "the source exists")
    }
  }
}
