import LocalDataSystem

#if os(Linux)
  import LocalDataFoundation
  package import LocalDataVocabulary

  /// Gets the key that encrypts the root key of a keystore from its source.
  package struct RootKeyProtection: Sendable {
    package typealias Material = @Sendable (KeyMaterialSource) throws(StorageProblem) -> SecretBytes
    package typealias Stretch = @Sendable (SecretBytes, StretchParameters) throws(StorageProblem) -> SecretBytes

    let source: RootKeySource
    let keyFile: KeystoreKeyFile
    private let applicationName: String
    private let group: String?
    private let material: Material
    private let stretch: Stretch
    private let credentials: String?

    /// - Parameters:
    ///   - folder: The folder of the keystore.
    ///   - group: The identifier of the app group whose keystore it is, if it is one.
    ///   - material: Returns the passphrase of a provider. It may block.
    ///   - stretch: PBKDF2.
    ///   - credentials: The folder of systemd's credentials.
    package init(
      _ source: RootKeySource, in folder: FolderLocation, applicationName: String = "", group: String? = nil,
      material: @escaping Material = { (source) throws(StorageProblem) in throw .noKeyMaterialProvider(source) },
      stretch: @escaping Stretch = { (_, _) throws(StorageProblem) in throw .keyMaterialMissing },
      credentials: String? = Environment["CREDENTIALS_DIRECTORY"]
    ) {
      self.source = source
      keyFile = KeystoreKeyFile(location: FileLocation(folder: folder, name: "keystore.key"))
      self.applicationName = applicationName
      self.group = group
      self.material = material
      self.stretch = stretch
      self.credentials = credentials
    }

    /// Returns the key that has sealed a root key. The key may differ from the one that the seal names, for example if the
    /// passphrase is wrong.
    func key(for seal: EnvelopeHeader.Seal) throws(StorageProblem) -> SealingKey {
      switch source.kind {
      case .keyFile: return SealingKey(try keyFile.read(), source: .keystoreSource)
      case .systemdCredential(let name): return SealingKey(try credential(name), source: .keystoreSource)
      case .passphrase(let source, let iterations):
        guard let parameters = seal.stretch else { throw .authenticationFailed }
        // Before any work: somebody may have made the header up.
        guard parameters.iterations <= iterations else {
          throw .rootKeySourceConflict(recorded: self.source.recordedName)
        }
        return try stretched(source, parameters)
      case .service(let service):
        guard let key = try key(seal.keyID, of: service.service) else { throw .keyMaterialMissing }
        return SealingKey(key, source: .keystoreSource)
      }
    }

    /// Returns the key that seals a new root key. A key file and the key of a service are created, and durable on return.
    func newKey(_ randomness: Randomness) throws(StorageProblem) -> SealingKey {
      switch source.kind {
      case .keyFile: return SealingKey(try keyFile.readOrCreate(randomness), source: .keystoreSource)
      case .systemdCredential(let name): return SealingKey(try credential(name), source: .keystoreSource)
      case .passphrase(let source, let iterations):
        guard KeyDerivation.iterations.contains(iterations) else { throw .configurationConflict }
        return try stretched(
          source, StretchParameters(iterations: iterations, salt: randomness.bytes(StretchParameters.saltCount)))
      case .service(let service):
        guard RootKeySource.isServiceName(service.service.name) else { throw .configurationConflict }
        return try newKey(of: service.service, randomness)
      }
    }

    // MARK: Passphrase

    private func stretched(
      _ source: KeyMaterialSource, _ parameters: StretchParameters
    ) throws(StorageProblem) -> SealingKey {
      let passphrase = try material(source)
      guard passphrase.count > 0 else { throw .keyMaterialTooShort(source) }
      return SealingKey(try stretch(passphrase, parameters), source: .keystoreSource, stretch: parameters)
    }

    // MARK: Credential

    private static let mostCredentialBytes = 1 << 16

    private func credential(_ name: String) throws(StorageProblem) -> SecretBytes {
      guard !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else { throw .invalidName }
      guard let credentials, credentials.hasPrefix("/") else { throw .keyMaterialMissing }
      let folder = FolderLocation(root: StorageRoot(URL(fileURLWithPath: credentials)), parts: [])
      guard let bytes = try FileLocation(folder: folder, name: name).readSecret(upTo: Self.mostCredentialBytes + 1)
      else {
        throw .keyMaterialMissing
      }
      guard (KeystoreKeyFile.count...Self.mostCredentialBytes).contains(bytes.count) else { throw .keyMaterialDamaged }
      return bytes
    }

    // MARK: Service

    private func newKey(of service: any RootKeyService, _ randomness: Randomness) throws(StorageProblem) -> SealingKey {
      let secret = randomness.secret(KeystoreKeyFile.count)
      let key = SealingKey(secret, source: .keystoreSource)
      var bytes = secret.withUnsafeBytes { Data($0) }
      defer { bytes.wipe() }
      let id = rootKeyID(key.id)
      do { try service.store(bytes, id) } catch { throw Self.fault(error, service) }
      // The root key is never encrypted with a key that cannot be read again.
      guard let stored = try self.key(key.id, of: service), KeyID(of: stored) == key.id else {
        throw .keyMaterialProviderFailed(KeyMaterialSource(id: service.name))
      }
      return key
    }

    private func key(_ id: KeyID, of service: any RootKeyService) throws(StorageProblem) -> SecretBytes? {
      do {
        guard var bytes = try service.key(rootKeyID(id)) else { return nil }
        defer { bytes.wipe() }
        guard bytes.count == KeystoreKeyFile.count else { throw StorageProblem.keyMaterialDamaged }
        return SecretBytes(bytes)
      } catch {
        throw Self.fault(error, service)
      }
    }

    private func rootKeyID(_ id: KeyID) -> RootKeyID {
      RootKeyID(id: id.bytes.hexadecimal, applicationName: applicationName, group: group)
    }

    /// Returns the fault of an error of a service, whose text may quote key bytes and goes no further.
    private static func fault(_ error: any Error, _ service: any RootKeyService) -> StorageProblem {
      if let fault = error as? StorageProblem { return fault }
      if error as? RootKeyServiceError == .locked { return .locked }
      return .keyMaterialProviderFailed(KeyMaterialSource(id: service.name))
    }
  }
#endif
