#if canImport(Darwin)
  package import Foundation

  /// Preferences and the preferences of app groups: Apple's own, so that the app and `@AppStorage` see them too.
  ///
  /// An update is atomic within the process. Before the first unlock after a start UserDefaults reads as empty, without
  /// an error: absence is believed only while a file of the same protection can be read.
  package final class UserDefaultsHelper: ValueStore {
    private let locations: StorageLocations
    /// All writers take it, or a set would be lost between the two halves of an update. One for all stores: several may
    /// share a suite. Recursive: an update writes.
    private static let turn = NSRecursiveLock()

    package init(_ locations: StorageLocations, patience: Duration = .seconds(10)) { self.locations = locations }

    package var withoutWaiting: (any ValueStore)? { self }

    package func read(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Data? {
      guard let object = try suite(place.container).defaults.object(forKey: place.name) else {
        try requireUnlocked()
        return nil
      }
      return try PropertyListObject.storedBytes(of: object, attributes)
    }

    package func exists(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Bool {
      if try suite(place.container).defaults.object(forKey: place.name) != nil { return true }
      try requireUnlocked()
      return false
    }

    package func write(
      _ bytes: Data, to place: StoragePlace, _ attributes: StorageAttributes
    ) throws(StorageFault) {
      let suite = try suite(place.container)
      let object: Any = attributes.isPropertyListValue ? try PropertyListObject.object(of: bytes) : bytes
      try prepareProbe()
      Self.turn.lock()
      defer { Self.turn.unlock() }
      suite.defaults.set(object, forKey: place.name)
    }

    package func remove(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) {
      let suite = try suite(place.container)
      try requireUnlocked()
      Self.turn.lock()
      defer { Self.turn.unlock() }
      suite.defaults.removeObject(forKey: place.name)
    }

    package func update(
      _ place: StoragePlace, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageFault) -> StorageChange
    ) throws(StorageFault) {
      Self.turn.lock()
      defer { Self.turn.unlock() }
      switch try change(try read(place, attributes)) {
      case .keep: break
      case .write(let bytes): try write(bytes, to: place, attributes)
      case .remove: try remove(place, attributes)
      }
    }

    package func scan(
      _ container: StorageContainer, upTo limit: Int, _ visit: (_ bytes: Data) throws(StorageFault) -> Bool
    ) throws(StorageFault) {
      let suite = try suite(container)
      try requireUnlocked()
      for object in (suite.defaults.persistentDomain(forName: suite.name) ?? [:]).values {
        if let bytes = object as? Data, try !visit(Data(bytes.prefix(limit))) { return }
      }
    }

    package func makeDurable(_ container: StorageContainer) throws(StorageFault) {
      guard try suite(container).defaults.synchronize() else { throw .io(errno: EIO) }
    }

    /// The system rewrites the whole file.
    package func purge(_ container: StorageContainer) throws(StorageFault) {}

    package var removesAtNextLaunch: Bool { true }

    private func suite(_ container: StorageContainer) throws(StorageFault) -> (defaults: UserDefaults, name: String) {
      switch container {
      case .preferences(nil):
        return (.standard, Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)
      case .preferences(let name?):
        // The rules of the other platforms hold here too.
        _ = try locations.preferences(suite: name)
        guard let defaults = UserDefaults(suiteName: name) else { throw .invalidName }
        return (defaults, name)
      case .groupPreferences(let identifier):
        _ = try locations.groupPreferences(identifier: identifier)
        guard let defaults = UserDefaults(suiteName: identifier) else { throw .invalidAppGroupIdentifier }
        return (defaults, identifier)
      case .keychain, .directory, .groupDirectory: throw .invalidName
      }
    }

    // MARK: The probe

    /// Throws ``StorageFault/locked`` where the probe is there and cannot be read.
    private func requireUnlocked() throws(StorageFault) {
      do throws(StorageFault) { _ = try locations.unlockProbe.read(upTo: 1) } catch {
        throw error == .accessDenied ? .locked : error
      }
    }

    private func prepareProbe() throws(StorageFault) {
      try requireUnlocked()
      if try !locations.unlockProbe.exists() { _ = try locations.unlockProbe.create(Data([1])) }
    }
  }
#endif
