public import LocalData
public import LocalDataFoundation
import LocalDataStores
import LocalDataSystem

/// A key pair of a router, which signs with ES256.
///
/// ```swift
/// let binding = router.signingKey(.bindingKey)
/// if try await !binding.exists() { try await binding.create() }
/// let signature = try await binding.sign(Data("header.payload".utf8))
/// print(try await binding.publicKey().jwk, signature.raw.count)   // {"crv":"P-256",…} 64
/// ```
///
/// The system never asks the user for ``exists()``, ``publicKey()``, ``info()``, ``create()`` and ``delete()``. If the pair has
/// an access control, it asks once for each ``sign(_:)``, or once for all that ``StorageRouter/authenticated(reason:_:)``
/// contains.
public struct SigningKey: Sendable {
  let router: StorageRouter
  let key: StorageSigningKey

  /// Creates the pair. No other call and no other process creates it at the same time.
  ///
  /// - Throws: ``StorageProblem/Code/alreadyStored`` if there is a pair, also one that an earlier release of the app created
  ///   under the application tag. ``StorageProblem/Code/secureEnclaveUnavailable`` if the pair must be in the Secure Enclave and
  ///   the device has none. Every other ``StorageError`` if the keychain cannot be used.
  @concurrent public func create() async throws(StorageError) {
    guard try await stored() == nil else { throw StorageError(.alreadyStored, key.subject) }
    let isInEnclave = key.secureEnclave != .never && EnclaveKey.isAvailable
    if key.secureEnclave == .required, !isInEnclave { throw StorageError(.secureEnclaveUnavailable, key.subject) }
    let isCreated = try await isInEnclave ? createInEnclave() : createInSoftware()
    guard isCreated else { throw StorageError(.alreadyStored, key.subject) }
  }

  /// Returns true if there is a pair. The result is also true if its bytes are damaged.
  ///
  /// - Returns: True if a pair is stored, or an earlier release of the app created one under the application tag.
  /// - Throws: A ``StorageError`` if the keychain cannot be used.
  @concurrent public func exists() async throws(StorageError) -> Bool {
    if try await router.exists(key.item) { return true }
    return try await adopted() != nil
  }

  /// Returns the public key.
  ///
  /// - Returns: The public key of the pair.
  /// - Throws: ``StorageProblem/Code/notFound`` if there is no pair, ``StorageProblem/Code/corrupted`` if its bytes are damaged,
  ///   ``StorageProblem/Code/unknownFormatVersion`` if a later version of the library wrote them. Every other ``StorageError``
  ///   if the keychain cannot be used.
  @concurrent public func publicKey() async throws(StorageError) -> SigningPublicKey {
    let bytes = try await value().publicKey
    guard let publicKey = SigningPublicKey(x963: bytes) else { throw StorageError(.corrupted, key.subject) }
    return publicKey
  }

  /// Returns the signature of a message.
  ///
  /// - Parameter message: The message itself, not its digest.
  /// - Returns: The signature, with SHA-256.
  /// - Throws: ``StorageProblem/Code/invalidated`` if the enrolled fingers or faces changed, or the private key is in the Secure
  ///   Enclave of another device. ``StorageProblem/Code/userCancelled`` and ``StorageProblem/Code/accessDenied`` if the user does
  ///   not confirm. ``StorageProblem/Code/corrupted`` if the private key is not the one of the public key. Every error that
  ///   ``publicKey()`` throws.
  @concurrent public func sign(_ message: Data) async throws(StorageError) -> SigningSignature {
    let session = AuthenticationSession.current ?? AuthenticationSession()
    guard let value = try await stored(session) else { throw StorageError(.notFound, key.subject) }
    do throws(StorageError) {
      let signature = try await signature(of: message, by: value, session)
      SigningKeyInfo.note(.usable, of: value)
      return signature
    } catch {
      if error.code == .invalidated, SigningKeyInfo.lastUse(of: value) != .madeOnAnotherDevice {
        SigningKeyInfo.note(.invalidated, of: value)
      }
      throw error
    }
  }

  /// Returns what is known about the pair.
  ///
  /// - Returns: The kind of the pair, the time of its creation, and the result of its last use by this process.
  /// - Throws: Every error that ``publicKey()`` throws.
  @concurrent public func info() async throws(StorageError) -> SigningKeyInfo { SigningKeyInfo(try await value()) }

  /// Deletes the pair, if there is one. Keys of Keychain Services under the application tag are deleted too.
  ///
  /// - Throws: A ``StorageError`` if the keychain cannot be used. Then call it again.
  @concurrent public func delete() async throws(StorageError) {
    try await removeExisting()
    try await removePrivateItems()
    try await router.remove(key.item)
  }
}

// MARK: The stored value

extension SigningKey {
  private func value() async throws(StorageError) -> SigningValue {
    guard let value = try await stored() else { throw StorageError(.notFound, key.subject) }
    return value
  }

  /// Returns the stored pair. If nothing is stored, returns the pair of an earlier release, which is stored from now on.
  ///
  /// - Parameter session: The authentication for a key of an earlier release that cannot be examined without the user; `nil`
  ///   if there must be no prompt.
  private func stored(_ session: AuthenticationSession? = nil) async throws(StorageError) -> SigningValue? {
    let bytes = try await AuthenticationSession.silently { () async throws(StorageError) in
      try await router.get(key.item)
    }
    guard let bytes else { return try await adopted(session) }
    return try naming { () throws(StorageProblem) in try SigningValue(bytes) }
  }

  /// Stores a pair if there is none, and returns true if it did.
  private func insert(_ value: SigningValue) async throws(StorageError) -> Bool {
    let bytes = value.bytes
    do {
      try await router.update(key.item) { stored throws(Taken) in
        guard stored == nil else { throw Taken() }
        stored = bytes
      }
      return true
    } catch let error as StorageError { throw error } catch { return false }
  }

  private struct Taken: Error {}

  /// Removes the private key that only the user can read. If the pair is damaged, removes all that may be its own.
  private func removePrivateItems() async throws(StorageError) {
    guard key.mayHavePrivateItems else { return }
    do throws(StorageError) {
      if let value = try await stored() { try await router.remove(key.privateItem(of: value.publicKey)) }
    } catch {
      guard [.corrupted, .unknownFormatVersion].contains(error.code) else { throw error }
      for member in try await router.members(of: key.privateItems) where key.hasPrivateItem(named: member.name) {
        try await router.remove(member)
      }
    }
  }

  private func naming<Result>(_ body: () throws(StorageProblem) -> Result) throws(StorageError) -> Result {
    do throws(StorageProblem) { return try body() } catch { throw StorageError(error, key.subject) }
  }

  /// Runs a step that may wait for Keychain Services or the user on another thread.
  private func waiting<Result: Sendable>(
    _ body: @escaping @Sendable () throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    do throws(StorageProblem) { return try await router.values(for: nil).services.run(body) } catch {
      throw StorageError(error, key.subject)
    }
  }
}

// MARK: Creation and signatures

extension SigningKey {
  private func createInSoftware() async throws(StorageError) -> Bool {
    let pair = SoftwareKey()
    guard key.mayHavePrivateItems else {
      return try await insert(
        SigningValue(.software, at: router.clock.now, publicKey: pair.publicKey, privatePart: pair.secret))
    }
    // The private key is stored first: what says that there is a pair comes last.
    let privateItem = key.privateItem(of: pair.publicKey)
    try await router.set(pair.secret, for: privateItem)
    let value = SigningValue(.software, at: router.clock.now, publicKey: pair.publicKey, privatePart: Data())
    if try await insert(value) { return true }
    try await router.remove(privateItem)
    return false
  }

  private func createInEnclave() async throws(StorageError) -> Bool {
    let protection = key.protection
    let pair = try await waiting { () throws(StorageProblem) in try EnclaveKey.new(protection) }
    return try await insert(
      SigningValue(.enclave, at: router.clock.now, publicKey: pair.publicKey, privatePart: pair.blob))
  }

  private func signature(
    of message: Data, by value: SigningValue, _ session: AuthenticationSession
  ) async throws(StorageError) -> SigningSignature {
    switch value.kind {
    case .software:
      var secret = try await secret(of: value)
      defer { secret.wipe() }
      return try naming { [secret] () throws(StorageProblem) in
        try SoftwareKey(secret, of: value.publicKey).signature(of: message)
      }
    case .enclave:
      return try await waiting { () throws(StorageProblem) in
        try EnclaveKey.signature(of: message, by: value, session)
      }
    case .existing:
      return try await waiting { () throws(StorageProblem) in
        try ExistingKey.signature(of: message, by: value, session)
      }
    }
  }

  private func secret(of value: SigningValue) async throws(StorageError) -> Data {
    guard value.privatePart.isEmpty else { return value.privatePart }
    guard key.mayHavePrivateItems, let secret = try await router.get(key.privateItem(of: value.publicKey)) else {
      throw StorageError(.corrupted, key.subject)
    }
    return secret
  }
}

// MARK: Keys of Keychain Services

extension SigningKey {
  /// Stores the first key that Keychain Services return for the application tag as the pair, and returns it.
  private func adopted(_ session: AuthenticationSession? = nil) async throws(StorageError) -> SigningValue? {
    guard let tag = key.applicationTag else { return nil }
    let now = router.clock.now
    let found = try await waiting { () throws(StorageProblem) in try ExistingKey.find(tag, at: now, session) }
    guard let found else { return nil }
    if try await insert(found) { return found }
    // Another call has stored a pair meanwhile.
    return try await stored(session)
  }

  /// Deletes the keys of Keychain Services under the application tag.
  func removeExisting() async throws(StorageError) {
    guard let tag = key.applicationTag else { return }
    try await waiting { () throws(StorageProblem) in try ExistingKey.remove(tag) }
  }
}

extension StorageRouter {
  /// Returns a key pair of this router. Nothing is read yet.
  ///
  /// ```swift
  /// let pairwise = router.signingKey(.pairwise(rp: "https://rp.example"))
  /// try await pairwise.create()
  /// ```
  ///
  /// - Parameter key: The pair, as a catalog declares it.
  /// - Returns: The functions of the pair.
  public nonisolated func signingKey(_ key: StorageSigningKey) -> SigningKey { SigningKey(router: self, key: key) }
}
