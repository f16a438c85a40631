public import StorageVocabulary

/// The source of the key that encrypts the root key of a keystore. Only Linux has keystores; other platforms ignore it.
///
/// ```swift
/// let router = StorageRouter(configuration: StorageConfiguration(rootKeySource: .systemdCredential(name: "keystore")))
/// ```
///
/// Each keystore records its source, and no other one opens it. If another one is configured, calls throw
/// ``StorageError/rootKeySourceConflict(_:recorded:)`` until ``Maintenance/changeRootKeySource(from:)`` has encrypted the
/// root key again. All members of an app group configure the same source.
///
/// The key is asked for once for each keystore, until ``StorageRouter/lock()``. No file is locked meanwhile. Calls that need
/// the same keystore wait for the answer, and throw ``StorageError/busy(_:)`` after their timeout.
public struct RootKeySource: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case keyFile
    case passphrase(KeyMaterialSource, iterations: Int)
    case systemdCredential(name: String)
    case service(Service)
  }

  /// A service, which is equal to another one of its name.
  struct Service: Sendable, Hashable {
    let service: any RootKeyService

    static func == (one: Service, other: Service) -> Bool { one.service.name == other.service.name }
    func hash(into hasher: inout Hasher) { hasher.combine(service.name) }
  }

  let kind: Kind

  /// A file of 32 random bytes beside the keystore. It protects a database that is copied without the file.
  public static let keyFile = RootKeySource(kind: .keyFile)

  /// A passphrase, for example of the user.
  ///
  /// ```swift
  /// let source = KeyMaterialSource(id: "passphrase")
  /// let router = StorageRouter(configuration: StorageConfiguration(rootKeySource: .passphrase(source)))
  /// router.registerKeyMaterialProvider(PassphrasePrompt(), for: source)
  /// ```
  ///
  /// The provider is asked for the name `keystore`, and for `keystore.` and the identifier for the keystore of an app group.
  /// It may take as long as the user does, and must not use the keychain or encrypted keys of the same router. A wrong
  /// passphrase throws ``StorageError/wrongRootKey(_:)``, and the next call asks again. If no call may ask while others wait, for
  /// example at launch, get one key of the keychain first.
  ///
  /// - Parameters:
  ///   - source: The source that the provider is registered for.
  ///   - iterations: The rounds of PBKDF2, from 600,000 to 10,000,000. A keystore with more rounds is refused.
  public static func passphrase(_ source: KeyMaterialSource, iterations: Int = 600_000) -> RootKeySource {
    RootKeySource(kind: .passphrase(source, iterations: iterations))
  }

  /// A credential of 32 to 65,536 random bytes that systemd passes to a service (`$CREDENTIALS_DIRECTORY`).
  ///
  /// - Parameter name: The name of the credential. With `LoadCredentialEncrypted=keystore:/etc/credstore.encrypted/app` in
  ///   the unit it is `keystore`.
  public static func systemdCredential(name: String) -> RootKeySource {
    RootKeySource(kind: .systemdCredential(name: name))
  }

  /// A service that keeps the key, for example the keyring of the desktop (`LocalDataSecretService`).
  public static func service(_ service: any RootKeyService) -> RootKeySource {
    RootKeySource(kind: .service(Service(service: service)))
  }
}

extension RootKeySource {
  /// The name of the source in a keystore.
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

  /// Returns true if a keystore of this version may record a name. A later version may have other sources.
  static func isRecordedName(_ name: String) -> Bool {
    if [keyFileName, "passphrase", "systemdCredential"].contains(name) { return true }
    return name.hasPrefix(servicePrefix) && isServiceName(String(name.dropFirst(servicePrefix.count)))
  }

  /// Returns true if a service may have a name: 1 to 64 letters, digits, dots and hyphens.
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

  /// A Boolean value that indicates whether the source may take long to give its key, so that no lock may wait for it.
  var mayBlock: Bool { kind != .keyFile }
}
