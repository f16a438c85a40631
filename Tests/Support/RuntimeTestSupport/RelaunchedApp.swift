package import Foundation
package import LocalData
package import LocalDataMaintenance
import LocalDataSync
package import LocalDataTesting
package import ProbeKeys
import LocalDataFoundation
package import LocalDataVocabulary

/// The storage of an app that is launched again and again, with a clock that tests move.
package struct RelaunchedApp {
  package let fixture: StoreFixture
  package let clock = ControllableClock()

  package init() throws { fixture = try StoreFixture() }

  /// Launches the app again, a second later by the clock unless `isLater` is false.
  ///
  /// - Parameter change: Changes the services of the app.
  package func launch(
    isExtension: Bool = false, isLater: Bool = true,
    _ change: @escaping @Sendable (inout StorageServices) -> Void = { _ in }
  ) -> StorageRouter {
    if isLater { clock.advance(by: 1) }
    let configuration = StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder))
    return StorageRouter(configuration: configuration, clock: clock) { setup in
      var services = StorageServices.live(setup)
      services.launch = ProcessLaunch(isExtension: isExtension)
      change(&services)
      return services
    }
  }

  /// Launches the app again, with files for which every call of one operation fails.
  package func launch(failing operation: FaultInjectingStore.Operation, with fault: StorageProblem) -> StorageRouter {
    launch { services in
      let files = FaultInjectingStore(services.files)
      files.fail(with: fault) { $0.operation == operation }
      services.files = files
    }
  }

  /// The bytes at the address of a key, whatever its retention says.
  package func stored<Value>(_ key: StorageKey<Value>) throws -> Data? {
    let locations = fixture.locations
    let container = try StorageContainer(
      key.domain, StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
    let address = StorageAddress(container: container, name: key.name)
    switch container.store {
    case .preferences: return try UserDefaultsHelper(locations).read(address, StorageAttributes())
    case .keychain: return try KeychainHelper(in: locations.appFolder).read(address, StorageAttributes())
    case .files: return try FileStorageHelper(locations).read(address, StorageAttributes())
    }
  }
}

extension RelaunchedApp {
  /// Stores bytes at the address of a key, as they are.
  package func write<Value>(_ bytes: Data, of key: StorageKey<Value>) throws {
    let address = StorageAddress(container: try StorageContainer(key.domain, StorageConfiguration()), name: key.name)
    let services = launch(isLater: false).values(for: nil).services
    try services.base(for: address.container).write(bytes, to: address, StorageAttributes())
  }
}

/// Keys of each domain.
package enum RetainedKey {
  package static func of(_ address: ProbeAddress, _ retention: Retention?, name: String = "value") -> StorageKey<
    String?
  > {
    StorageKey<String?>(
      name: name, domain: address.domain, security: address.security, owner: "Tests", description: "A text.",
      options: StorageKeyOptions(retention: retention))
  }
}

extension StorageRouter {
  /// Registers keys, families and reserved names of one test.
  package nonisolated func register(
    _ keys: [AnyStorageKey], _ families: [StorageKeyFamily] = [], reserved: [StorageReservedName] = [],
    descriptors: [StorageKeyDescriptor] = []
  ) throws(StorageError) {
    let listing = KeyRegistry.Listing(
      catalog: ObjectIdentifier(Self.self), keys: keys, families: families, features: [.sync],
      reservedNameRows: { StorageCatalogRows(reserved) },
      descriptorRows: { descriptors.isEmpty ? nil : StorageCatalogRows(rows: descriptors) })
    try setup.withLock { [clock] (setup) throws(StorageError) in try setup.register(listing, clock) }
  }
}

extension RelaunchedApp {
  /// The files of values that were moved aside, by their paths in the folder.
  package var quarantined: [String] {
    get throws {
      try ["data/.quarantine", "groups/group.tests/.quarantine"].flatMap { folder -> [String] in
        guard FileManager.default.fileExists(atPath: fixture.path(folder)) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: fixture.path(folder))
          .filter { !$0.hasPrefix(".") }.sorted().map { folder + "/" + $0 }
      }
    }
  }
}
