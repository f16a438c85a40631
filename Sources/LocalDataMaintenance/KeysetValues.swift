import Foundation
import LocalData
import LocalDataRecordKeys

/// The values that the master key of one keyset has encrypted, also those of no registered key.
struct KeysetValues: Sendable {
  let encryption: EncryptionHelper
  let registered: RegisteredKeyIndex
  let keyset: KeysetID
  private let services: StorageServices

  init(_ services: StorageServices, _ registered: RegisteredKeyIndex, _ keyset: KeysetID) {
    self.services = services
    self.registered = registered
    self.keyset = keyset
    encryption = services.encryption
  }

  /// Runs a step that may block.
  @discardableResult
  func run<Result: Sendable>(
    _ subject: StorageError.Subject = .none,
    _ body: @escaping @Sendable (EncryptionHelper) throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    do throws(StorageProblem) {
      return try await services.run { [encryption] () throws(StorageProblem) in try body(encryption) }
    } catch {
      // The only database that a step reads without naming it is the keystore.
      let fault = error == .databaseDamaged ? .containerDamaged(keystoreDomain) : error
      throw StorageError(fault, subject, .write)
    }
  }

  /// A domain for which ``Maintenance/setAsideDamaged(_:progress:)`` examines the keystore.
  private var keystoreDomain: StorageDomain {
    keyset.group.map { .appGroupUserDefaults(identifier: $0) } ?? .keychain()
  }

  /// Runs a step on a value.
  func step(
    at sealed: SealedAddress, _ waits: CallWaits, _ body: () async throws(StorageProblem) -> Bool
  ) async throws(StorageError) -> Bool {
    do throws(StorageProblem) { return try await waits.step(on: .container(sealed.address.container), body) } catch {
      throw self.error(error, at: sealed)
    }
  }

  /// Returns the declared key of a value, or the database of a record key; `nil` for a value of no registered key.
  func subject(of sealed: SealedAddress) -> StorageError.Subject? {
    if let identity = sealed.recordKey?.identity { return .init(key: identity.database, domain: identity.domain) }
    return registered.subject(of: sealed.address)
  }

  /// Returns the error for a value.
  func error(_ fault: StorageProblem, at sealed: SealedAddress) -> StorageError {
    var fault = fault
    let address = sealed.address
    if fault == .databaseDamaged, sealed.recordKey == nil {
      let container = address.container
      fault = .containerDamaged(container.store == .preferences ? container.domain : keystoreDomain)
    }
    let subject = subject(of: sealed) ?? .init(key: nil, domain: address.container.kinds.first)
    return StorageError(fault, subject, .write)
  }

  /// The kind of domain whose location ``places()`` compares with the recorded one.
  private var fileDomain: StorageDomain.Kind { keyset == .app ? .fileSystem : .appGroupFileSystem }

  /// Returns the address of every value that needs the master key, and of every file that may be one and cannot be read now.
  ///
  /// - Parameter needsEveryGroup: True if an access group of a registered key for which the process has no entitlement is an
  ///   error. Otherwise it is passed over.
  /// - Throws: ``StorageProblem/Code/configurationConflict`` if files were stored under another configuration.
  func addresses(needsEveryGroup: Bool = false) async throws(StorageError) -> [SealedAddress] {
    let services = services
    let keyset = keyset
    let registered = registered
    try await run(.init(key: nil, domain: fileDomain)) { (encryption) throws(StorageProblem) in
      try encryption.values?.checkFileLocation(keyset)
    }
    return try await run { (encryption) throws(StorageProblem) in
      if let scan = encryption.values {
        let found = try scan.addresses(of: keyset, needsEveryGroup: needsEveryGroup) {
          encryption.configuration.reserves($0)
        }
        // A link is in the place of a value only if a key may have its name.
        return found.filter { found in
          found.fault != .io(errno: ELOOP) || FileName.isShortened(found.address.name)
            || found.recordKey != nil || registered.subject(of: found.address) != nil
        }
      }
      // In memory there are only the containers of registered keys.
      var addresses: [SealedAddress] = []
      for container in registered.containers(of: keyset) {
        let store = services.base(for: container)
        for name in try store.storedNames(in: container) {
          let address = StorageAddress(container: container, name: name)
          guard let bytes = try store.read(address, .anySize) else { continue }
          if let sealed = SealedAddress.found(at: address, bytes) { addresses.append(sealed) }
        }
      }
      return addresses
    }
  }

  /// Returns the values that were moved aside and need the master key, and those of a later version. Bytes whose header is
  /// damaged were moved as those of a key that is not encrypted, and need none.
  func quarantined() async throws(StorageError) -> [(copy: QuarantinedCopy, sealed: SealedAddress)] {
    let quarantine = services.quarantine
    let keyset = keyset
    return try await run { _ throws(StorageProblem) in
      try quarantine.copies(of: keyset).compactMap { copy in
        guard let sealed = SealedAddress.found(at: copy.address, copy.beginning) else { return nil }
        return sealed.seal != nil || sealed.fault != nil ? (copy, sealed) : nil
      }
    }
  }

  /// Waits until the values of the keyset are on the disk, and no earlier ones. A preference is set before it is.
  func makeDurable(_ found: [SealedAddress]) async throws(StorageError) {
    let values = found.filter { $0.recordKey == nil }
    let containers = Set(values.map(\.address.container)).union(registered.containers(of: keyset))
    try await run { [services] _ throws(StorageProblem) in
      for container in containers { try services.base(for: container).makeDurable(container) }
    }
  }

  // MARK: Encrypting again

  /// Encrypts a value that was moved aside with the primary key, if another one has sealed it. Returns false if there was
  /// nothing to do.
  func reseal(_ copy: QuarantinedCopy) async throws(StorageProblem) -> Bool {
    try await reseal(KeysetValue(copy, in: services.quarantine))
  }

  /// Encrypts a value with the primary key, if another one has sealed it. Everything else of it stays, also the time at which
  /// it was written. A record key is replaced by a new one. Returns false if there was nothing to do.
  func reseal(_ sealed: SealedAddress) async throws(StorageProblem) -> Bool {
    if let recordKey = sealed.recordKey { return try await recordKey.rotate(encryption) }
    return try await reseal(value(at: sealed))
  }

  private func value(at sealed: SealedAddress) -> KeysetValue {
    KeysetValue(at: sealed.address, in: sealed.recordKey?.store ?? services.base(for: sealed.address.container))
  }

  private func reseal(_ value: KeysetValue) async throws(StorageProblem) -> Bool {
    let address = value.address
    // A value that another process writes meanwhile is looked at again, and has the new key as a rule.
    for _ in 0..<8 {
      let stored = try await BlockingExecutor.shared.run { () throws(StorageProblem) in try value.read() }
      guard let stored, let sealed = try SealedAddress(address, stored) else { return false }
      guard let seal = sealed.seal else { throw .authenticationFailed }
      let revision = encryption.revision
      let sealer = try await encryption.sealer(for: seal.policy, keyset: keyset, keyName: "")
      if sealer.sealsLike(seal) { return false }
      let (opened, identity) = try await opened(stored, seal.policy, at: address)
      let bytes = try sealer.seal(opened.plaintext, metadata: opened.metadata, identity: identity)
      do throws(StorageProblem) {
        if try await swap(stored, for: bytes, at: value, identity.domain) { return true }
      } catch {
        guard error == .busy, encryption.revision != revision else { throw error }
      }
    }
    throw .busy
  }

  /// Opens a value whose key may be unknown: the container leaves two domains at most.
  ///
  /// - Throws: ``StorageProblem/authenticationFailed`` if the value is damaged, or its key is not in the keyset.
  private func opened(
    _ stored: Data, _ policy: SecurityPolicy.EncryptionPolicy, at address: StorageAddress
  ) async throws(StorageProblem) -> (
    opened: (plaintext: Data, metadata: EnvelopeMetadata), identity: ValueIdentity
  ) {
    let header = try EnvelopeHeader.parse(stored)
    let opener = try await opener(of: stored, policy)
    for domain in address.container.kinds {
      let identity = ValueIdentity(
        domain: domain, container: address.container, name: address.name, schema: header.metadata.schema)
      do throws(StorageProblem) { return (try opener.open(stored, identity: identity), identity) } catch {
        guard error == .authenticationFailed else { throw error }
      }
    }
    throw .authenticationFailed
  }

  private func opener(
    of stored: Data, _ policy: SecurityPolicy.EncryptionPolicy
  ) async throws(StorageProblem) -> Opener {
    try await encryption.opener(
      for: policy, keyset: keyset, keyName: "", header: try EnvelopeHeader.parse(stored))
  }

  private func swap(
    _ seen: Data, for bytes: Data, at value: KeysetValue, _ domain: StorageDomain.Kind
  ) async throws(StorageProblem) -> Bool {
    let address = value.address
    let attributes = try registered.attributes(of: address, domain, encryption.values)
    let hook = registered.hook(of: address)
    return try await BlockingExecutor.shared.run { [services, encryption, keyset] () throws(StorageProblem) in
      var value = value
      value.attributes = attributes
      let isInKeychain = address.container.store == .keychain
      return try encryption.checkingKeys(of: keyset, isInKeychain: isInKeychain) { (check) throws(StorageProblem) in
        try value.update(ifStored: seen) { () throws(StorageProblem) in
          try hook?.replaces(seen, by: bytes, at: address, value.attributes, services)
          try check(bytes)
          return .write(bytes)
        }
      }
    }
  }

  // MARK: Moving aside

  /// Moves the stored bytes of a value whose key is lost to the folder of abandoned values. Returns false if something else is
  /// stored now.
  func moveAside(_ sealed: SealedAddress, _ files: KeysetFiles) async throws(StorageProblem) -> Bool {
    let value = value(at: sealed)
    let keyset = keyset
    return try await BlockingExecutor.shared.run { () throws(StorageProblem) in
      // A value that was stored since is encrypted with another key.
      guard let stored = try value.read(), let now = try SealedAddress(value.address, stored),
        now.seal?.keyID == sealed.seal?.keyID
      else { return false }
      return try Self.moveAside(stored, keyset, from: value, files)
    }
  }

  /// Moves the stored bytes of a value to the folder of abandoned values if they are damaged: a key of the keyset has sealed
  /// them and does not open them. Returns false if they are not.
  ///
  /// - Throws: What keeps the value or its key from being read now.
  func moveAsideDamaged(_ sealed: SealedAddress, _ files: KeysetFiles) async throws(StorageProblem) -> Bool {
    try await moveAsideDamaged(value(at: sealed), sealed.recordKey?.identity, sealed.seal?.keyID, files)
  }

  /// Does the same with a value that was moved aside before because it was no value of its key.
  func moveAsideDamaged(_ copy: QuarantinedCopy, _ files: KeysetFiles) async throws(StorageProblem) -> Bool {
    let keyID = try SealedAddress(copy.address, copy.beginning)?.seal?.keyID
    return try await moveAsideDamaged(KeysetValue(copy, in: services.quarantine), nil, keyID, files)
  }

  private func moveAsideDamaged(
    _ value: KeysetValue, _ recordKey: RecordKeyIdentity?, _ keyID: KeyID?, _ files: KeysetFiles
  ) async throws(StorageProblem) -> Bool {
    guard let damaged = try await damagedBytes(of: value, recordKey, keyID) else { return false }
    return try await BlockingExecutor.shared.run { [keyset] () throws(StorageProblem) in
      try Self.moveAside(damaged, keyset, from: value, files)
    }
  }

  private static func moveAside(
    _ stored: Data, _ keyset: KeysetID, from value: KeysetValue, _ files: KeysetFiles
  ) throws(StorageProblem) -> Bool {
    // The copy is on the disk before the value goes.
    try files.keep(SetAsideValue(address: value.address, stored: stored), keyset)
    return try value.replace(stored, with: nil)
  }

  /// Returns the bytes of a value if the key that their header names does not open them.
  private func damagedBytes(
    of value: KeysetValue, _ recordKey: RecordKeyIdentity?, _ keyID: KeyID?
  ) async throws(StorageProblem) -> Data? {
    let stored = try await BlockingExecutor.shared.run { () throws(StorageProblem) in try value.read() }
    // Another process may have stored a value since.
    guard let stored, let sealed = try SealedAddress(value.address, stored), sealed.seal?.keyID == keyID else {
      return nil
    }
    guard let seal = sealed.seal else { return stored }
    do throws(StorageProblem) {
      if let recordKey {
        _ = try await opener(of: stored, seal.policy).open(stored, identity: recordKey)
      } else {
        _ = try await opened(stored, seal.policy, at: value.address)
      }
    } catch {
      guard error == .authenticationFailed || error == .corrupted else { throw error }
      return stored
    }
    return nil
  }
}

extension KeysetFiles {
  /// Writes the bytes of a value whose key is lost to a file. They are durable when the function returns.
  func keep(_ value: SetAsideValue, _ keyset: KeysetID) throws(StorageProblem) {
    _ = try FileLocation(folder: try abandoned(keyset), name: value.name).create(value.bytes)
  }
}
