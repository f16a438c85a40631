#if os(Linux)
  package import Foundation

  /// The values that Foundation's own UserDefaults wrote on Linux: one property list for each suite. They are only read.
  ///
  /// The file of a suite is `<suite>.plist`, that of the app `<bundle identifier, or name of the executable>.plist`. As
  /// Foundation rewrites it in place, a file that is read at that moment may be ``StorageFault/corrupted``.
  package final class FoundationDefaults: ValueStore {
    private let folder: FolderLocation
    private let known = Lock<[String: Parsed]>([:])

    /// A size that no real file has, because Foundation reads and writes the whole file at once.
    private static let largestFile = 16 << 20

    /// A file as it was when it was read last.
    ///
    /// `@unchecked Sendable`: the values are immutable objects of Foundation.
    private struct Parsed: @unchecked Sendable {
      let stamp: FileStamp
      let values: [String: Any]
    }

    /// The values of the property lists in a folder.
    package init(in folder: FolderLocation) { self.folder = folder }

    /// `nil`, because each call reads a file.
    package var withoutWaiting: (any ValueStore)? { nil }

    package func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageFault) -> Data? {
      guard let object = try values(address.container)[address.name] else { return nil }
      return try PropertyListObject.storedBytes(of: object, attributes)
    }

    package func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageFault) -> Bool {
      try values(address.container)[address.name] != nil
    }

    package func scan(
      _ container: StorageContainer, upTo limit: Int, _ visit: (_ bytes: Data) throws(StorageFault) -> Bool
    ) throws(StorageFault) {
      for object in try values(container).values {
        if let bytes = object as? Data, try !visit(Data(bytes.prefix(limit))) { return }
      }
    }

    package func names(
      in container: StorageContainer, _ visit: (_ name: String) throws(StorageFault) -> Bool
    ) throws(StorageFault) {
      for name in try values(container).keys where try !visit(name) { return }
    }

    // MARK: Files

    private func values(_ container: StorageContainer) throws(StorageFault) -> [String: Any] {
      let name = try Self.fileName(of: container)
      guard let folder = try folder.open(creating: false), let file = try folder.file(name, O_RDONLY) else {
        return [:]
      }
      let status = try file.status()
      guard status.isRegularFile else { throw DurableWriter.refusal(status) }
      let stamp = FileStamp(status)
      if let parsed = known.withLock({ $0[name] }), parsed.stamp == stamp { return parsed.values }
      // One byte more: a file that grew since is too large as well.
      let bytes = try file.read(upTo: Self.largestFile + 1)
      guard bytes.count <= Self.largestFile else { throw .valueTooLarge }
      let parsed = Parsed(stamp: stamp, values: try Self.parse(bytes))
      known.withLock { $0[name] = parsed }
      return parsed.values
    }

    private static func parse(_ bytes: Data) throws(StorageFault) -> [String: Any] {
      let list: Any
      do { list = try PropertyListSerialization.propertyList(from: bytes, format: nil) } catch { throw .corrupted }
      guard let values = list as? [String: Any] else { throw .corrupted }
      return values
    }

    private static func fileName(of container: StorageContainer) throws(StorageFault) -> String {
      guard case .preferences(let suite) = container else { throw .invalidName }
      let name = (suite ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName) + ".plist"
      // Foundation allows suites outside of the folder, and hidden files. The library allows neither.
      guard !name.hasPrefix("."), !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0),
        name.utf8.count <= Int(NAME_MAX)
      else { throw .invalidName }
      return name
    }

    // MARK: What it never does

    package func write(
      _ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes
    ) throws(StorageFault) { throw .accessDenied }

    package func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageFault) {
      throw .accessDenied
    }

    package func update(
      _ address: StorageAddress, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageFault) -> StorageChange
    ) throws(StorageFault) { throw .accessDenied }

    package func makeDurable(_ container: StorageContainer) throws(StorageFault) {}

    package func purge(_ container: StorageContainer) throws(StorageFault) {}

    package var removesAtNextLaunch: Bool { false }
  }
#endif
