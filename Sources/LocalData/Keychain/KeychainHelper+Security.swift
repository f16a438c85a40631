#if canImport(Security)
  package import Foundation
  internal import Security

  /// Keychain Services. A narrow adapter: what can be decided without it is decided elsewhere.
  package final class KeychainHelper: ValueStore {
    /// `update` is atomic within the process: all writers of it take this lock.
    private static let writing = NSRecursiveLock()

    /// The keychain is the system's: the folder, which holds a keystore elsewhere, means nothing here.
    package init(in folder: FolderLocation) {}

    package var withoutWaiting: (any ValueStore)? { nil }

    /// Nothing is kept in memory here.
    package func lock() {}

    package func read(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Data? {
      let query = try KeychainQuery(place.container, account: place.name)
      guard let bytes = try Self.data(query.dictionary) else { return nil }
      guard bytes.count <= attributes.maxStoredSize else { throw .valueTooLarge }
      return bytes
    }

    package func exists(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) -> Bool {
      let status = SecItemCopyMatching(
        try KeychainQuery(place.container, account: place.name).withoutPrompt as CFDictionary, nil)
      switch status {
      // It would have to ask: so there is an item to ask for.
      case KeychainStatus.success, KeychainStatus.interactionNotAllowed: return true
      case KeychainStatus.itemNotFound: return false
      default: throw KeychainStatus.fault(status)
      }
    }

    package func write(
      _ bytes: Data, to place: StoragePlace, _ attributes: StorageAttributes
    ) throws(StorageFault) {
      Self.writing.lock()
      defer { Self.writing.unlock() }
      let query = try KeychainQuery(place.container, account: place.name)
      // Each may lose against another process once: an item that came, an item that went.
      for _ in 0..<8 {
        if try replace(query, bytes, attributes) { return }
        if try add(query, bytes, attributes) { return }
      }
      throw .busy
    }

    package func remove(_ place: StoragePlace, _ attributes: StorageAttributes) throws(StorageFault) {
      Self.writing.lock()
      defer { Self.writing.unlock() }
      let status = SecItemDelete(
        try KeychainQuery(place.container, account: place.name).dictionary as CFDictionary)
      guard status == KeychainStatus.success || status == KeychainStatus.itemNotFound else {
        throw KeychainStatus.fault(status)
      }
    }

    package func update(
      _ place: StoragePlace, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageFault) -> StorageChange
    ) throws(StorageFault) {
      Self.writing.lock()
      defer { Self.writing.unlock() }
      let query = try KeychainQuery(place.container, account: place.name)
      for _ in 0..<8 {
        let seen = try read(place, attributes)
        switch try change(seen) {
        case .keep: return
        case .remove: return try remove(place, attributes)
        case .write(let bytes):
          // Insert if absent holds between processes too: who comes second looks again.
          let isDone = try seen == nil ? add(query, bytes, attributes) : replace(query, bytes, attributes)
          if isDone { return }
        }
      }
      throw .busy
    }

    package func scan(
      _ container: StorageContainer, upTo limit: Int, _ visit: (_ bytes: Data) throws(StorageFault) -> Bool
    ) throws(StorageFault) {
      try scan(try KeychainQuery(container, account: nil)) { (bytes) throws(StorageFault) in
        try visit(Data(bytes.prefix(limit)))
      }
    }

    /// Hands every item of the app to `visit` until it answers `false`, whatever its service.
    package func scanAll(_ visit: (_ bytes: Data) throws(StorageFault) -> Bool) throws(StorageFault) {
      try scan(.everything, visit)
    }

    private func scan(
      _ scope: KeychainQuery, _ visit: (_ bytes: Data) throws(StorageFault) -> Bool
    ) throws(StorageFault) {
      var query = scope
      var all = query.withoutPrompt
      all[kSecMatchLimit as String] = kSecMatchLimitAll
      all[kSecReturnAttributes as String] = true
      var found: CFTypeRef?
      let status = SecItemCopyMatching(all as CFDictionary, &found)
      if status == KeychainStatus.itemNotFound { return }
      guard status == KeychainStatus.success else { throw KeychainStatus.fault(status) }
      for item in found as? [[String: Any]] ?? [] {
        query.service = item[kSecAttrService as String] as? String
        query.accessGroup = item[kSecAttrAccessGroup as String] as? String
        query.account = item[kSecAttrAccount as String] as? String
        query.isSynchronizable = item[kSecAttrSynchronizable as String] as? Bool
        // What only its user can give out is left out: nothing that the library seals lies so.
        if let bytes = try Self.data(query.skippingPrompts), try !visit(bytes) { return }
      }
    }

    /// The system's keychain keeps what it has answered for, and encrypts all of it.
    package func makeDurable(_ container: StorageContainer) throws(StorageFault) {}

    package func purge(_ container: StorageContainer) throws(StorageFault) {}

    package var removesAtNextLaunch: Bool { false }

    private static func data(_ query: [String: Any]) throws(StorageFault) -> Data? {
      var query = query
      query[kSecReturnData as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      switch status {
      case KeychainStatus.success:
        guard let bytes = found as? Data else { throw .corrupted }
        return bytes
      case KeychainStatus.itemNotFound: return nil
      default: throw KeychainStatus.fault(status)
      }
    }

    /// Whether there was an item to replace.
    private func replace(
      _ query: KeychainQuery, _ bytes: Data, _ attributes: StorageAttributes
    ) throws(StorageFault) -> Bool {
      var changes = try query.protection(attributes).attributes()
      changes[kSecValueData as String] = bytes
      let status = SecItemUpdate(query.dictionary as CFDictionary, changes as CFDictionary)
      if status == KeychainStatus.itemNotFound { return false }
      guard status == KeychainStatus.success else { throw KeychainStatus.fault(status) }
      return true
    }

    /// Whether there was none yet.
    private func add(
      _ query: KeychainQuery, _ bytes: Data, _ attributes: StorageAttributes
    ) throws(StorageFault) -> Bool {
      var item = query.dictionary.merging(try query.protection(attributes).attributes()) { $1 }
      item[kSecValueData as String] = bytes
      let status = SecItemAdd(item as CFDictionary, nil)
      if status == KeychainStatus.duplicateItem { return false }
      guard status == KeychainStatus.success else { throw KeychainStatus.fault(status) }
      return true
    }
  }
#endif
