import LocalDataSystem

#if canImport(Security)
  package import LocalDataFoundation
  internal import Security

  /// Keychain Services. An adapter with as little logic as possible: all decisions that do not need Keychain Services are made
  /// elsewhere.
  ///
  /// No lock is held during a prompt. An update names the version of the item that it has read and is repeated if another
  /// thread or process wrote in between, see ``KeychainItemVersion``.
  package final class KeychainHelper: ValueStore {
    /// The group of containers that name none.
    let accessGroup: KnownAccessGroup
    private let patience: Duration

    /// Creates a store over the system's keychain.
    ///
    /// - Parameters:
    ///   - folder: Ignored. On Linux it contains the keystore.
    ///   - accessGroup: The group of containers that name none.
    ///   - record: The file that records the group with the first item; `nil` for none.
    ///   - patience: The time after which a write that other writers keep overtaking ends in `busy`.
    package init(
      in folder: FolderLocation, accessGroup: DefaultAccessGroup = .shared, record: FileLocation? = nil,
      patience: Duration = .seconds(10)
    ) {
      self.accessGroup = KnownAccessGroup(accessGroup, in: record)
      self.patience = patience
    }

    /// Does nothing: the adapter keeps nothing in memory.
    package func lock() {}

    // MARK: Reading

    package func read(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
      guard let query = try located(try query(address.container, address.name)), let item = try find(query, attributes)
      else { return nil }
      guard item.bytes.count <= attributes.maxStoredSize else { throw .valueTooLarge(limit: attributes.maxStoredSize) }
      return item.bytes
    }

    package func exists(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Bool {
      guard let query = try located(try query(address.container, address.name)) else { return false }
      return try query.hasItem()
    }

    package func version(of address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) -> Data? {
      guard let item = try query(address.container, address.name).attributesOfItems().first else { return nil }
      // An item of another library has no version.
      return item[kSecAttrGeneric as String] as? Data ?? Data()
    }

    package func modification(of address: StorageAddress) throws(StorageProblem) -> Date? {
      do throws(StorageProblem) {
        return try query(address.container, address.name).attributesOfItems().first?[kSecAttrModificationDate as String]
          as? Date
      } catch {
        // The time of an item is unknown while the device is locked.
        guard error == .locked else { throw error }
        return nil
      }
    }

    // MARK: Writing

    package func write(
      _ bytes: Data, to address: StorageAddress, _ attributes: StorageAttributes
    ) throws(StorageProblem) {
      let query = try query(address.container, address.name, isWriting: true)
      try repeating { () throws(StorageProblem) in
        let item = try located(query)
        if let item, try replace(item, bytes, attributes) { return true }
        if try add(query, bytes, attributes) { return true }
        // Neither: another process has changed the item, or the system can no longer return the item.
        if let item, let invalidated = try invalidated(item) { try delete(invalidated) }
        return false
      }
    }

    package func remove(_ address: StorageAddress, _ attributes: StorageAttributes) throws(StorageProblem) {
      if let item = try located(try query(address.container, address.name)) { try delete(item) }
    }

    package func update(
      _ address: StorageAddress, _ attributes: StorageAttributes,
      _ change: (Data?) throws(StorageProblem) -> StorageChange
    ) throws(StorageProblem) {
      let query = try query(address.container, address.name, isWriting: true)
      // The system prompts once, also if the update is repeated.
      let session = AuthenticationSession.current ?? AuthenticationSession()
      try AuthenticationSession.bound(session) { () throws(StorageProblem) in
        try repeating { () throws(StorageProblem) in
          let item = try located(query)
          let seen = if let item { try find(item, attributes) } else { Item?.none }
          if let seen, seen.bytes.count > attributes.maxStoredSize {
            throw .valueTooLarge(limit: attributes.maxStoredSize)
          }
          let change = try change(seen?.bytes)
          guard let item, let seen else {
            if case .write(let bytes) = change { return try add(query, bytes, attributes) }
            return true
          }
          if case .keep = change { return true }
          guard let unchanged = try unchanged(seen, item, attributes) else { return false }
          if case .write(let bytes) = change { return try replace(unchanged, bytes, attributes) }
          return try delete(unchanged)
        }
      }
    }

    // MARK: Lists

    package func names(
      in container: StorageContainer, _ visit: (_ name: String) throws(StorageProblem) -> Bool
    ) throws(StorageProblem) {
      let query = try query(container, nil)
      for item in try query.attributesOfItems() where try !visit(item[kSecAttrAccount as String] as? String ?? "") {
        return
      }
    }

    /// Returns the names of the items in a container that may have encrypted values. A value with an access control is not
    /// encrypted with a master key. So an item that only the user could list is left out.
    package func sealedNames(in container: StorageContainer) throws(StorageProblem) -> [String] {
      try query(container, nil).attributesOfItems(skipsGuarded: true)
        .map { $0[kSecAttrAccount as String] as? String ?? "" }
    }

    /// Returns true if the default group, or one of `groups`, has an item whose value needs a master key. No value is
    /// read, and the user is not asked.
    ///
    /// - Parameter services: The services of the library's keys. If all of their items are found, a locked item in a group is
    ///   one of another library.
    package func holdsSealedValues(in groups: [String], services: Set<String> = []) throws(StorageProblem) -> Bool {
      for group in Set(groups + [try accessGroup.name()]) {
        var query = KeychainQuery(allIn: group)
        for service in services {
          query.service = service
          if try query.matchesSealedValue() { return true }
        }
        query.service = nil
        do throws(StorageProblem) { if try query.matchesSealedValue() { return true } } catch {
          guard error == .locked, !services.isEmpty else { throw error }
        }
      }
      return false
    }

    /// Returns the containers of the default group and of `groups` that may have encrypted values. No value is read.
    package func containers(in groups: [String]) throws(StorageProblem) -> [StorageContainer] {
      let defaultGroup = try accessGroup.name()
      var found: Set<StorageContainer> = []
      for group in Set(groups + [defaultGroup]) {
        for item in try KeychainQuery(allIn: group).attributesOfItems(skipsGuarded: true) {
          found.insert(
            .keychain(
              service: item[kSecAttrService as String] as? String ?? "",
              accessGroup: group == defaultGroup ? nil : group,
              synchronizable: item[kSecAttrSynchronizable as String] as? Bool ?? false))
        }
      }
      return Array(found)
    }

    /// Does nothing, because the system's keychain is durable when a call returns, and encrypts every item.
    package func makeDurable(_ container: StorageContainer) throws(StorageProblem) {}

    package func purge(_ container: StorageContainer) throws(StorageProblem) {}

    package var removesAtNextLaunch: Bool { false }

    // MARK: Items

    /// The bytes of an item, their version if this library wrote them, and the time of the last change.
    private struct Item {
      let bytes: Data
      let version: Data?
      let modified: Date?

      /// Creates an item from the answer to a query; `nil` if there is none.
      init?(_ status: OSStatus, _ found: CFTypeRef?) throws(StorageProblem) {
        if status == KeychainStatus.itemNotFound { return nil }
        guard status == KeychainStatus.success else { throw KeychainStatus.fault(status) }
        guard let item = found as? [String: Any], let bytes = item[kSecValueData as String] as? Data else {
          throw .corrupted
        }
        self.bytes = bytes
        version = item[kSecAttrGeneric as String] as? Data
        modified = item[kSecAttrModificationDate as String] as? Date
      }

      /// Returns a query that is answered with one item.
      static func returned(by query: [String: Any]) -> CFDictionary {
        var query = query
        query[kSecReturnData as String] = true
        query[kSecReturnAttributes as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        return query as CFDictionary
      }

    }

    /// Returns a query for an item that may lack an attribute: by its persistent reference, or `nil` if there is no such item. Every
    /// other query is returned as it is. Never prompts.
    private func located(_ query: KeychainQuery) throws(StorageProblem) -> KeychainQuery? {
      guard query.lacksAttribute else { return query }
      guard let item = try query.attributesOfItems().first else { return nil }
      guard let reference = item[kSecValuePersistentRef as String] as? Data else { throw .corrupted }
      var located = query
      located.reference = reference
      return located
    }

    /// Returns a query that matches an item if it has not been written since.
    ///
    /// - Returns: `nil` if the item was given a version. It has to be read again, because it may have changed before.
    private func unchanged(
      _ seen: Item, _ query: KeychainQuery, _ attributes: StorageAttributes
    ) throws(StorageProblem) -> KeychainQuery? {
      if query.reference == nil || KeychainItemVersion.isOwn(seen.version) {
        return query.matching(seen.version, modified: seen.modified)
      }
      // The time of the change cannot be named beside a reference.
      let version = try KeychainItemVersion.new(for: seen.bytes, defaultAccessGroup: accessGroup.name)
      let changes = [kSecAttrGeneric as String: version]
      switch query.perform(attributes, { SecItemUpdate($0 as CFDictionary, changes as CFDictionary) }) {
      case KeychainStatus.success, KeychainStatus.itemNotFound: return nil
      case let status: throw KeychainStatus.fault(status)
      }
    }

    private func query(
      _ container: StorageContainer, _ account: String?, isWriting: Bool = false
    ) throws(StorageProblem) -> KeychainQuery {
      // Keychain Services is another process, and may ask the user.
      try CallDeadline.requireWaiting()
      return try KeychainQuery(container, account: account) { () throws(StorageProblem) in
        isWriting ? try accessGroup.nameForWriting() : try accessGroup.name()
      }
    }

    /// Repeats an attempt that fails if another writer changes the item first. Each failed attempt means that another writer
    /// has succeeded.
    private func repeating(_ attempt: () throws(StorageProblem) -> Bool) throws(StorageProblem) {
      let deadline = CallDeadline.end(of: patience)
      repeat {
        if try attempt() { return }
      } while ContinuousClock.now < deadline
      throw .busy
    }

    /// Returns the item, or `nil` if there is none. May prompt.
    private func find(_ query: KeychainQuery, _ attributes: StorageAttributes) throws(StorageProblem) -> Item? {
      if let item = try item(query, attributes) { return item }
      // The keychain also answers "not found" for an item that it can never decrypt again.
      guard try query.hasItem() else { return nil }
      // Another process may have added it between the two questions.
      if let item = try item(query, attributes) { return item }
      throw .invalidated
    }

    private func item(_ query: KeychainQuery, _ attributes: StorageAttributes) throws(StorageProblem) -> Item? {
      var found: CFTypeRef?
      let status = query.perform(attributes) { SecItemCopyMatching(Item.returned(by: $0), &found) }
      return try Item(status, found)
    }

    /// Returns a query for an item that exists but can never be read again, or `nil` if there is no such item.
    private func invalidated(_ query: KeychainQuery) throws(StorageProblem) -> KeychainQuery? {
      guard let item = try query.attributesOfItems().first else { return nil }
      var data = query.withoutPrompt
      data[kSecReturnData as String] = true
      var found: CFTypeRef?
      // Both success and a prompt that is not allowed mean that the item can still be read.
      guard SecItemCopyMatching(data as CFDictionary, &found) == KeychainStatus.itemNotFound else { return nil }
      let version = item[kSecAttrGeneric as String] as? Data
      if query.reference != nil, !KeychainItemVersion.isOwn(version) { return query }
      return query.matching(version, modified: item[kSecAttrModificationDate as String] as? Date)
    }

    /// Returns true if there was an item to replace. May prompt if the item has an access control: the system decrypts an item
    /// before it replaces its data.
    private func replace(
      _ query: KeychainQuery, _ bytes: Data, _ attributes: StorageAttributes
    ) throws(StorageProblem) -> Bool {
      var changes = try query.protection(attributes).attributes()
      changes[kSecValueData as String] = bytes
      changes[kSecAttrGeneric as String] = try KeychainItemVersion.new(for: bytes, defaultAccessGroup: accessGroup.name)
      switch query.perform(attributes, { SecItemUpdate($0 as CFDictionary, changes as CFDictionary) }) {
      case KeychainStatus.success: return true
      case KeychainStatus.itemNotFound: return false
      case let status: throw KeychainStatus.fault(status)
      }
    }

    /// Returns true if there was no item yet. Never prompts.
    private func add(
      _ query: KeychainQuery, _ bytes: Data, _ attributes: StorageAttributes
    ) throws(StorageProblem) -> Bool {
      var item = query.dictionary.merging(try query.protection(attributes).attributes()) { $1 }
      item[kSecValueData as String] = bytes
      item[kSecAttrGeneric as String] = try KeychainItemVersion.new(for: bytes, defaultAccessGroup: accessGroup.name)
      switch SecItemAdd(item as CFDictionary, nil) {
      case KeychainStatus.success: return true
      case KeychainStatus.duplicateItem: return false
      case let status: throw KeychainStatus.fault(status)
      }
    }

    /// Returns true if there was an item to delete. Never prompts.
    @discardableResult
    private func delete(_ query: KeychainQuery) throws(StorageProblem) -> Bool {
      switch SecItemDelete(query.dictionary as CFDictionary) {
      case KeychainStatus.success: return true
      case KeychainStatus.itemNotFound: return false
      case let status: throw KeychainStatus.fault(status)
      }
    }
  }

  extension KeychainQuery {
    /// Returns true if there is an item. Never prompts.
    fileprivate func hasItem() throws(StorageProblem) -> Bool {
      switch SecItemCopyMatching(withoutPrompt as CFDictionary, nil) {
      // The call would need a prompt, so there is an item.
      case KeychainStatus.success, KeychainStatus.interactionNotAllowed: return true
      case KeychainStatus.itemNotFound: return false
      case let status: throw KeychainStatus.fault(status)
      }
    }

    /// Returns true if the value of an item needs a master key. Never prompts.
    fileprivate func matchesSealedValue() throws(StorageProblem) -> Bool {
      let versions = try attributesOfItems(skipsGuarded: true).compactMap { $0[kSecAttrGeneric as String] as? Data }
      return versions.contains(where: KeychainItemVersion.needsMasterKey)
    }

    /// Returns the attributes of all items. Never prompts.
    ///
    /// - Parameter skipsGuarded: True to leave out items with an access control if the list would need a prompt for them. An
    ///   item that is locked with the device is not left out.
    fileprivate func attributesOfItems(skipsGuarded: Bool = false) throws(StorageProblem) -> [[String: Any]] {
      let isOne = reference != nil
      var query = withoutPrompt
      query[kSecMatchLimit as String] = isOne ? kSecMatchLimitOne : kSecMatchLimitAll
      query[kSecReturnAttributes as String] = true
      if lacksAttribute { query[kSecReturnPersistentRef as String] = true }
      var found: CFTypeRef?
      var status = SecItemCopyMatching(query as CFDictionary, &found)
      let isGuarded = status == KeychainStatus.interactionNotAllowed
      if isGuarded, skipsGuarded || lacksAttribute && !isOne {
        query[kSecUseAuthenticationUI as String] = kSecUseAuthenticationUISkip
        status = SecItemCopyMatching(query as CFDictionary, &found)
      }
      var items: [[String: Any]] = []
      switch status {
      case KeychainStatus.success:
        items = isOne ? (found as? [String: Any]).map { [$0] } ?? [] : found as? [[String: Any]] ?? []
      case KeychainStatus.itemNotFound: break
      case let status: throw KeychainStatus.fault(status)
      }
      guard lacksAttribute else { return items }
      items = items.filter { selects(service: $0[kSecAttrService as String], account: $0[kSecAttrAccount as String]) }
      // The item may be one of those that were left out.
      if isGuarded, !skipsGuarded, items.isEmpty { throw .locked }
      return items
    }
  }
#endif
