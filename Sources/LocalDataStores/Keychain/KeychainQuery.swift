import LocalDataFoundation
package import LocalDataSystem
import LocalDataVocabulary

/// A query of Keychain Services in the library's own types: built and tested on every platform, and translated only on Apple's
/// platforms.
struct KeychainQuery: Hashable, Sendable {
  /// The service, or `nil` for all services. Empty for items without one.
  var service: String?
  /// The account, or `nil` for all items of the service. Empty for the item without one.
  var account: String?
  /// The access group. Every query names one: a query without would match the items of all groups of the app.
  var accessGroup: String
  /// A Boolean value that selects synchronizable items or the others, or `nil` for both.
  var isSynchronizable: Bool?
  /// The version of the item's bytes, or `nil` for any. See ``KeychainItemVersion``.
  var version: Data?
  /// The time at which the item was changed, or `nil` for any.
  var modified: Date?
  /// The persistent reference of one item. Keychain Services take no attribute beside it.
  var reference: Data?

  /// Creates a query for one item of a container, or for all of them if `account` is `nil`.
  ///
  /// - Parameter defaultAccessGroup: The group of containers that name none.
  init(
    _ container: StorageContainer, account: String?, defaultAccessGroup: () throws(StorageProblem) -> String
  ) throws(StorageProblem) {
    guard case .keychain(let service?, let accessGroup, let isSynchronizable) = container.domain, accessGroup != ""
    else {
      throw .invalidName
    }
    self.service = service
    self.account = account
    self.isSynchronizable = isSynchronizable
    self.accessGroup = if let accessGroup { accessGroup } else { try defaultAccessGroup() }
  }

  /// Creates a query for all items of an access group.
  init(allIn accessGroup: String) { self.accessGroup = accessGroup }

  /// Returns a copy that matches only an item that has not been written since it had a version.
  ///
  /// - Parameter modified: The time at which the item was changed. It is matched if another library wrote the item: its generic
  ///   attribute is absent, or does not change with the bytes.
  func matching(_ version: Data?, modified: Date?) -> KeychainQuery {
    var query = self
    query.version = version
    if !KeychainItemVersion.isOwn(version) { query.modified = modified }
    // A version of this library is random, so no item of another service or account has it.
    query.reference = nil
    return query
  }

  /// A Boolean value that indicates whether the items have no service or no account. The query itself also matches items that
  /// have one, because Keychain Services have no condition for the absence of an attribute.
  var lacksAttribute: Bool { service == "" || account == "" }

  /// Returns true if an item lacks the attributes that the query's items lack.
  ///
  /// - Parameters:
  ///   - service: The service of an item in a list, as far as it has one.
  ///   - account: The account of the item.
  func selects(service: Any?, account: Any?) -> Bool {
    (self.service != "" || Self.isAbsent(service)) && (self.account != "" || Self.isAbsent(account))
  }

  /// Keychain Services may list an absent attribute as an empty one.
  private static func isAbsent(_ attribute: Any?) -> Bool {
    switch attribute {
    case nil: true
    case let text as String: text.isEmpty
    case let bytes as Data: bytes.isEmpty
    default: false
    }
  }

  /// The conditions under which an item can be read. An access control contains the accessibility; by itself each is an
  /// attribute.
  enum Protection: Hashable, Sendable {
    case accessible(KeychainAccessibility)
    case controlled(KeychainAccessibility, KeychainAccessControl)
  }

  /// Returns the protection of a key. A synchronizable item can neither be limited to the device nor have an access control.
  func protection(_ attributes: StorageAttributes) throws(StorageProblem) -> Protection {
    if isSynchronizable == true, attributes.accessibility.isThisDeviceOnly || attributes.accessControl != nil {
      throw .configurationConflict
    }
    guard let control = attributes.accessControl else { return .accessible(attributes.accessibility) }
    return .controlled(attributes.accessibility, control)
  }
}

/// The generic attribute of an item: what its bytes are, who has sealed them, and a random number that every write changes.
///
/// An update and a removal name the version that they have seen, so that they fail if another process wrote in between. The
/// attribute can be read without authentication. Therefore it contains no information about the bytes except whether they are
/// sealed.
///
/// The apps of a team share access groups, and each has its own master key. The default access group of the app that has sealed
/// a value tells them apart.
///
/// | offset | bytes | field |
/// |---:|---:|---|
/// | 0 | 3 | `LDV` |
/// | 3 | 1 | 1 if the value needs the master key, otherwise 0 |
/// | 4 | 8 | the beginning of the key id of the writer's default access group if the value needs the master key, otherwise random |
/// | 12 | 8 | random |
enum KeychainItemVersion {
  private static let magic = Data("LDV".utf8)
  private static let markCount = 8
  private static let randomCount = 8
  private static let count = magic.count + 1 + markCount + randomCount

  /// Returns a version that no item has had, for an item with these bytes.
  ///
  /// - Parameter defaultAccessGroup: The default access group of the process. It is read only if the bytes need a master key.
  static func new(
    for bytes: Data, _ randomness: Randomness = .system, defaultAccessGroup: () throws(StorageProblem) -> String
  ) throws(StorageProblem) -> Data {
    guard PlainEnvelope.needsMasterKey(bytes) else {
      return magic + [0] + randomness.bytes(markCount + randomCount)
    }
    return magic + [1] + mark(of: try defaultAccessGroup()) + randomness.bytes(randomCount)
  }

  /// Returns true if the item's bytes need the master key of an app with this default access group.
  static func isSealed(_ version: Data, in defaultAccessGroup: String) -> Bool {
    needsMasterKey(version) && version.dropFirst(magic.count + 1).starts(with: mark(of: defaultAccessGroup))
  }

  private static func mark(of defaultAccessGroup: String) -> Data {
    KeyID(of: SecretBytes(Data(defaultAccessGroup.utf8))).bytes.prefix(markCount)
  }

  /// Returns true if the item's bytes need the master key. An attribute of another library has no meaning here.
  static func needsMasterKey(_ version: Data) -> Bool {
    isOwn(version) && version[version.startIndex + magic.count] == 1
  }

  /// Returns true if this library has written the attribute.
  static func isOwn(_ version: Data?) -> Bool {
    guard let version else { return false }
    return version.count == count && version.starts(with: magic)
  }
}

/// The statuses of Keychain Services, with the numbers of `SecBase.h` in Apple's Security framework. They are declared here
/// so that their meaning is tested on platforms without that framework.
package enum KeychainStatus {
  static let success: Int32 = 0
  static let itemNotFound: Int32 = -25300
  static let duplicateItem: Int32 = -25299
  static let interactionNotAllowed: Int32 = -25308
  static let parameter: Int32 = -50
  /// The value of kSecUseAuthenticationUIFail: a query fails if it would have to show a prompt.
  package static let noPrompt = "u_AuthUIF"

  private static let userCancelled: Int32 = -128
  private static let authenticationFailed: Int32 = -25293
  private static let missingEntitlement: Int32 = -34018
  private static let noAccessForItem: Int32 = -25243
  private static let readOnly: Int32 = -25292
  private static let writePermission: Int32 = -61
  private static let notAvailable: Int32 = -25291
  private static let interactionRequired: Int32 = -25315
  private static let inDarkWake: Int32 = -25320
  private static let diskFull: Int32 = -34
  private static let dataTooLarge: Int32 = -25302
  private static let decode: Int32 = -26275

  /// Returns the fault that a status means. Success and "not found" are no faults.
  package static func fault(_ status: Int32) -> StorageProblem {
    switch status {
    // The device is locked, or no prompt is possible now. Both are temporary.
    case interactionNotAllowed, interactionRequired, inDarkWake, notAvailable: .locked
    case userCancelled: .userCancelled
    case authenticationFailed, noAccessForItem, readOnly, writePermission: .accessDenied
    case missingEntitlement: .missingEntitlement
    case diskFull: .outOfSpace
    case dataTooLarge: .valueTooLarge(limit: nil)
    case decode: .corrupted
    // Not an errno of the system: developers can look up the number.
    default: .io(errno: status)
    }
  }
}
