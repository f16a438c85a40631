import StorageSystem

#if os(Linux)
  import SmallFoundation

  /// A store for callers that must not wait, of which only reads can do without. Every other call throws
  /// ``StorageFault/busy``.
  struct PromptReads: ValueStore {
    private let bytes: @Sendable (StorageAddress, StorageAttributes) throws(StorageFault) -> Data?

    /// - Parameter bytes: Reads as ``ValueStore/read(_:_:)`` does. Instead of waiting it throws ``StorageFault/busy``.
    init(_ bytes: @escaping @Sendable (StorageAddress, StorageAttributes) throws(StorageFault) -> Data?) {
      self.bytes = bytes
    }

    var withoutWaiting: (any ValueStore)? { self }

    func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageFault) -> Data? {
      try bytes(address, attributes)
    }

    func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageFault) -> Bool { throw .busy }

    func version(of address: StorageAddress, _ attributes: StorageAttributes) throws(StorageFault) -> Data? {
      throw .busy
    }

    func modification(of address: StorageAddress) throws(StorageFault) -> Date? { throw .busy }

    func write(
      _ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes
    ) throws(StorageFault) { throw .busy }

    func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageFault) { throw .busy }

    func update(
      _ address: StorageAddress, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageFault) -> StorageChange
    ) throws(StorageFault) { throw .busy }

    func scan(
      _ container: StorageContainer, upTo limit: Int, _ visit: (_ bytes: Data) throws(StorageFault) -> Bool
    ) throws(StorageFault) { throw .busy }

    func names(
      in container: StorageContainer, _ visit: (_ name: String) throws(StorageFault) -> Bool
    ) throws(StorageFault) { throw .busy }

    func makeDurable(_ container: StorageContainer) throws(StorageFault) { throw .busy }

    func purge(_ container: StorageContainer) throws(StorageFault) { throw .busy }

    var removesAtNextLaunch: Bool { false }
  }
#endif
