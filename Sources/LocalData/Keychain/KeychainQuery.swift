internal import StorageVocabulary

/// What is asked of Keychain Services, in words of our own: built and tested anywhere, translated on Apple alone.
struct KeychainQuery: Hashable, Sendable {
  /// `nil` for all of the app's items.
  var service: String?
  /// `nil` for all items of the service.
  var account: String?
  /// `nil` for the app's own.
  var accessGroup: String?
  /// `nil` for items of either kind.
  var isSynchronizable: Bool?

  init(_ container: StorageContainer, account: String?) throws(StorageFault) {
    guard case .keychain(let service, let accessGroup, let isSynchronizable) = container, accessGroup != "" else {
      throw .invalidName
    }
    (self.service, self.account, self.accessGroup) = (service, account, accessGroup)
    self.isSynchronizable = isSynchronizable
  }

  /// All of the app's items.
  static let everything = KeychainQuery()

  private init() {}

  /// When an item is given out. An access control carries the accessibility; by itself each is an attribute.
  enum Protection: Hashable, Sendable {
    case accessible(KeychainAccessibility)
    case controlled(KeychainAccessibility, KeychainAccessControl)
  }

  /// The protection that a key asks for. What never leaves the device, or asks its user, cannot be synchronized.
  func protection(_ attributes: StorageAttributes) throws(StorageFault) -> Protection {
    if isSynchronizable == true, attributes.accessibility.isThisDeviceOnly || attributes.accessControl != nil {
      throw .configurationConflict
    }
    guard let control = attributes.accessControl else { return .accessible(attributes.accessibility) }
    return .controlled(attributes.accessibility, control)
  }
}
