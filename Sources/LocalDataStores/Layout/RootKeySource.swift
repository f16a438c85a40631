public import LocalDataVocabulary

/// The source of the key that encrypts the root key of a keystore. Only Linux has keystores. Other platforms ignore the
/// source.
///
/// ```swift
/// let router = StorageRouter(configuration: StorageConfiguration(rootKeySource: .systemdCredential(name: "keystore")))
/// ```
///
/// Each keystore records its source, and only this source opens it. If another source is configured, calls throw
/// ``StorageProblem/Code/rootKeySourceConflict`` until `router.maintenance.changeRootKeySource(from:)` of the product
/// LocalDataMaintenance has encrypted the root key again. All apps of an app group must configure the same source.
///
/// The library gets the key once for each keystore, until ``StorageRouter/lock()`` is called. It locks no file meanwhile.
/// Calls that need the same keystore wait for the key, and throw ``StorageProblem/Code/busy`` after their timeout.
public struct RootKeySource: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case keyFile
    case passphrase(KeyMaterialSource, iterations: Int)
    case systemdCredential(name: String)
    case service(Service)
  }

  /// A service. Two services are equal if they have the same name.
  struct Service: Sendable, Hashable {
    let service: any RootKeyService

    static func == (one: Service, other: Service) -> Bool { one.service.name == other.service.name }
    func hash(into hasher: inout Hasher) { hasher.combine(service.name) }
  }

  let kind: Kind

  /// A file of 32 random bytes beside the keystore. It protects a keystore that is copied without the file.
  public static let keyFile = RootKeySource(kind: .keyFile)

  /// Returns a passphrase, for example one that the user types.
  ///
  /// ```swift
  /// let source = KeyMaterialSource(id: "passphrase")
  /// let router = StorageRouter(configuration: StorageConfiguration(rootKeySource: .passphrase(source)))
  /// router.registerKeyMaterialProvider(PassphrasePrompt(), for: source)
  /// ```
  ///
  /// The provider gets the name `keystore`. For the keystore of an app group, it gets `keystore.` and the identifier of the
  /// group. It may wait for the user as long as necessary, and must not use the keychain or encrypted keys of the same router.
  /// If the passphrase is wrong, the call throws ``StorageProblem/Code/wrongRootKey``, and the next call gets the passphrase from
  /// the provider again. To get the passphrase before other calls need it, for example at launch, get one key of the keychain
  /// first. Without the package trait `Passphrases`, which is enabled by default, the call throws
  /// ``StorageProblem/Code/invalidCatalog``.
  ///
  /// - Parameters:
  ///   - source: The source that the provider is registered for.
  ///   - iterations: The number of PBKDF2 iterations, from 600,000 to 10,000,000. A keystore with more iterations is refused.
  public static func passphrase(_ source: KeyMaterialSource, iterations: Int = 600_000) -> RootKeySource {
    RootKeySource(kind: .passphrase(source, iterations: iterations))
  }

  /// Returns a credential of 32 to 65,536 random bytes that systemd passes to a service (`$CREDENTIALS_DIRECTORY`).
  ///
  /// - Parameter name: The name of the credential. With `LoadCredentialEncrypted=keystore:/etc/credstore.encrypted/app` in
  ///   the unit it is `keystore`.
  public static func systemdCredential(name: String) -> RootKeySource {
    RootKeySource(kind: .systemdCredential(name: name))
  }

  /// Returns a service that stores the key, for example the keyring of the desktop (`LocalDataSecretService`).
  public static func service(_ service: any RootKeyService) -> RootKeySource {
    RootKeySource(kind: .service(Service(service: service)))
  }
}

#if os(Linux)
  extension RootKeySource {
    /// The name of the source that keystores record.
    var recordedName: String {
      switch kind {
      case .keyFile: Self.keyFileName
      case .passphrase: "passphrase"
      case .systemdCredential: "systemdCredential"
      case .service(let service): Self.servicePrefix + service.service.name
      }
    }

    private static let keyFileName = "keyFile"
    private static let servicePrefix = "service."

    /// Returns true if this version can record the name in a keystore. A later version may have other sources.
    static func isRecordedName(_ name: String) -> Bool {
      if [keyFileName, "passphrase", "systemdCredential"].contains(name) { return true }
      return name.hasPrefix(servicePrefix) && isServiceName(String(name.dropFirst(servicePrefix.count)))
    }

    /// Returns true if a text is a valid name of a service: 1 to 64 letters, digits, dots and hyphens.
    static func isServiceName(_ name: String) -> Bool {
      (1...64).contains(name.utf8.count)
        && name.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
          default: false
          }
        }
    }

    /// A Boolean value that indicates whether the source may take long to give its key. No lock may be held while a caller waits
    /// for it.
    var mayBlock: Bool { kind != .keyFile }
  }
#endif
