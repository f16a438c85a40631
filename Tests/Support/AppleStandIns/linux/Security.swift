// Keychain Services in memory: one app's view of the data protection keychain, after the open source of securityd
// (apple-oss-distributions/Security: SecDbQuery.c, SecItemDb.c, SecItemServer.c, SecAccessControl.m).
//
// The types are Swift's. The stand-in SDK is used to check that the package's casts fit Apple's types.
internal import Crypto
public import Foundation
public import LocalAuthentication

public typealias OSStatus = Int32
public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFTypeRef = Any
public typealias CFAllocator = Never
public typealias CFError = NSError
public typealias CFData = Data

public let kSecClass = "class"
public let kSecClassGenericPassword = "genp"
public let kSecClassKey = "keys"
public let kSecAttrKeyClass = "kcls"
public let kSecAttrKeyClassPrivate = "1"
public let kSecAttrKeyType = "type"
public let kSecAttrKeyTypeECSECPrimeRandom = "73"
public let kSecAttrKeySizeInBits = "bsiz"
public let kSecAttrApplicationTag = "atag"
public let kSecAttrApplicationLabel = "klbl"
public let kSecReturnRef = "r_Ref"
public let kSecAttrAccessible = "pdmn"
public let kSecAttrAccessControl = "accc"
public let kSecAttrAccessGroup = "agrp"
public let kSecAttrSynchronizable = "sync"
public let kSecAttrSynchronizableAny = "syna"
public let kSecAttrAccount = "acct"
public let kSecAttrService = "svce"
public let kSecAttrGeneric = "gena"
public let kSecAttrModificationDate = "mdat"
public let kSecAttrAccessibleWhenUnlocked = "ak"
public let kSecAttrAccessibleAfterFirstUnlock = "ck"
public let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly = "akpu"
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly = "aku"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly = "cku"
public let kSecMatchLimit = "m_Limit"
public let kSecMatchLimitOne = "m_LimitOne"
public let kSecMatchLimitAll = "m_LimitAll"
public let kSecReturnData = "r_Data"
public let kSecReturnAttributes = "r_Attributes"
public let kSecReturnPersistentRef = "r_PersistentRef"
public let kSecValuePersistentRef = "v_PersistentRef"
public let kSecValueData = "v_Data"
public let kSecUseAuthenticationUI = "u_AuthUI"
private let kSecUseAuthenticationUIFail = "u_AuthUIF"
public let kSecUseAuthenticationUISkip = "u_AuthUIS"
public let kSecUseAuthenticationContext = "u_AuthCtx"
public let kSecUseDataProtectionKeychain = "nleg"

public let errSecSuccess: OSStatus = 0
public let errSecParam: OSStatus = -50
public let errSecUserCanceled: OSStatus = -128
public let errSecAuthFailed: OSStatus = -25293
public let errSecDuplicateItem: OSStatus = -25299
public let errSecItemNotFound: OSStatus = -25300
public let errSecNoSuchAttr: OSStatus = -25303
public let errSecInteractionNotAllowed: OSStatus = -25308
public let errSecMissingEntitlement: OSStatus = -34018

public struct SecAccessControlCreateFlags: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let userPresence = Self(rawValue: 1 << 0)
  public static let biometryAny = Self(rawValue: 1 << 1)
  public static let biometryCurrentSet = Self(rawValue: 1 << 3)
  public static let devicePasscode = Self(rawValue: 1 << 4)
  public static let or = Self(rawValue: 1 << 14)
  public static let and = Self(rawValue: 1 << 15)
  public static let privateKeyUsage = Self(rawValue: 1 << 30)
}

public final class SecAccessControl: Sendable {
  public let protection: String
  public let flags: SecAccessControlCreateFlags
  init(_ protection: String, _ flags: SecAccessControlCreateFlags) {
    (self.protection, self.flags) = (protection, flags)
  }
}

private let protections: Set = ["ak", "ck", "dk", "akpu", "aku", "cku", "dku"]

public func SecAccessControlCreateWithFlags(
  _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
  guard let protection = protection as? String, protections.contains(protection) else { return nil }
  if flags.isSuperset(of: [.or, .and]) || flags.isSuperset(of: [.biometryAny, .biometryCurrentSet]) { return nil }
  if flags.contains(.userPresence), flags.subtracting(.privateKeyUsage) != .userPresence { return nil }
  return SecAccessControl(protection, flags)
}

/// A keychain in memory, with the state of the device and the answers of its user.
public final class FakeKeychain: @unchecked Sendable {
  public enum DeviceState: Sendable { case beforeFirstUnlock, locked, unlocked }
  public enum Answer: Sendable { case allows, cancels, fails }

  public static let shared = FakeKeychain()

  fileprivate let lock = NSLock()
  /// The groups of the app's entitlements; new items go to the first.
  public var accessGroups = ["TEAM.app"]
  public var state = DeviceState.unlocked
  public var hasPasscode = true
  /// A Boolean value that indicates whether the user is asked for the attributes of an item with an access control, and not
  /// only for its data.
  public var asksForAttributes = false
  /// The serial of the last item that was stored before the enrolled fingers changed: those bound to them are lost.
  fileprivate var lastBeforeEnrolment = 0
  /// The text of the last prompt.
  public private(set) var lastReason = ""
  public var answer = Answer.allows
  /// How often the user was asked.
  public private(set) var prompts = 0
  /// The calls that named no access group and would have acted on all of them.
  public private(set) var callsWithoutGroup: [String] = []
  /// Asked before each call, with its name: a status that it fails with, or what another process does meanwhile.
  public var before: (@Sendable (_ call: String) -> OSStatus?)?

  /// The time that an item gets when it is added or changed.
  public var now: @Sendable () -> Date = { Date() }

  fileprivate struct Key: Hashable {
    var group: String, service: Data, account: Data, isSynchronizable: Bool
  }
  fileprivate struct Item {
    var serial: Int, key: Key, service: String?, account: String?
    var protection: String, control: SecAccessControlCreateFlags, data: Data?, generic: Data?
    var modified: Date
  }
  private var items: [Key: Item] = [:]
  fileprivate var serial = 0
  /// The keys, oldest first.
  fileprivate var keys: [SecKey] = []

  public func reset() {
    lock.withLock {
      items = [:]
      keys = []
      prompts = 0
      accessGroups = ["TEAM.app"]
      state = .unlocked
      hasPasscode = true
      asksForAttributes = false
      answer = .allows
      lastBeforeEnrolment = 0
    }
    before = nil
    now = { Date() }
  }

  /// The user enrols another finger: items bound to the current set can never be decrypted again. They stay, are found
  /// by their attributes, and can be removed (ks_decrypt_acl: kAKSReturnPolicyInvalid, and the row is passed over).
  public func changeEnrolment() { lock.withLock { lastBeforeEnrolment = serial } }

  private func isInvalidated(_ item: Item) -> Bool {
    item.control.contains(.biometryCurrentSet) && item.serial <= lastBeforeEnrolment
  }

  /// Adds an item as other code of the app does, which may leave out its service or its account.
  public func plant(
    _ text: String, service: String? = nil, account: String? = nil, group: String = "TEAM.app",
    flags: SecAccessControlCreateFlags = []
  ) {
    lock.withLock {
      let key = Key(
        group: group, service: Data((service ?? "").utf8), account: Data((account ?? "").utf8), isSynchronizable: false)
      // A change keeps the row.
      if items[key] == nil { serial += 1 }
      items[key] = Item(
        serial: items[key]?.serial ?? serial, key: key, service: service, account: account,
        protection: kSecAttrAccessibleWhenUnlocked,
        control: flags, data: Data(text.utf8), generic: nil, modified: now())
    }
  }

  /// Group, service, account and text of all items, sorted: for tests to look at.
  public var contents: [String] {
    lock.withLock {
      items.values.map {
        "\($0.key.group)/\($0.service ?? "-")/\($0.account ?? "-")\($0.key.isSynchronizable ? "+sync" : "")=\(String(decoding: $0.data ?? Data(), as: UTF8.self))"
      }
      .sorted()
    }
  }
  /// Protection and flags of the items, by account.
  public var protectionOf: [String: String] {
    lock.withLock {
      Dictionary(items.values.map { ($0.account ?? "-", "\($0.protection)/\($0.control.rawValue)") }) { $1 }
    }
  }

  // MARK: Queries

  fileprivate struct Query {
    var group: String?, service: Data?, account: Data?, isSynchronizable: Bool? = false
    var protection: String?, control: SecAccessControl?, data: Data?, generic: Data?, modified: Date?
    var context: LAContext?
    var serviceText: String?, accountText: String?
    var returnsData = false, returnsAttributes = false, returnsReference = false, limit: Int?
    var reference: Int?
    /// The number of attributes that items are compared with.
    var attributes = 0
    var skips = false, mayInteract = true
  }

  private enum Use { case add, find, change, remove, update }

  private static let attributeNames: Set<String> = [
    kSecAttrService, kSecAttrAccount, kSecAttrAccessGroup, kSecAttrAccessible, kSecAttrAccessControl, kSecAttrGeneric,
    kSecAttrModificationDate,
  ]

  private func parse(_ dictionary: [String: Any], _ use: Use) -> Result<Query, Status> {
    var query = Query()
    var hasClass = false
    for (key, value) in dictionary {
      if Self.attributeNames.contains(key) { query.attributes += 1 }
      switch key {
      case kSecClass:
        guard value as? String == kSecClassGenericPassword, use != .change else { return .failure(errSecParam) }
        hasClass = true
      case kSecAttrService:
        guard let text = value as? String else { return .failure(errSecParam) }
        (query.service, query.serviceText) = (Data(text.utf8), text)
      case kSecAttrAccount:
        guard let text = value as? String else { return .failure(errSecParam) }
        (query.account, query.accountText) = (Data(text.utf8), text)
      case kSecAttrAccessGroup:
        guard let text = value as? String else { return .failure(errSecParam) }
        query.group = text
      case kSecAttrSynchronizable:
        if value as? String == kSecAttrSynchronizableAny {
          query.isSynchronizable = nil
        } else {
          guard let flag = value as? Bool else { return .failure(errSecParam) }
          query.isSynchronizable = flag
        }
      case kSecAttrAccessible:
        guard let text = value as? String, protections.contains(text) else { return .failure(errSecParam) }
        query.protection = text
      case kSecAttrAccessControl:
        guard let control = value as? SecAccessControl else { return .failure(errSecParam) }
        query.control = control
      case kSecValueData:
        guard let data = value as? Data else { return .failure(errSecParam) }
        query.data = data
      case kSecAttrGeneric:
        guard let data = value as? Data else { return .failure(errSecParam) }
        query.generic = data
      case kSecAttrModificationDate:
        guard let date = value as? Date, use != .add, use != .change else { return .failure(errSecParam) }
        query.modified = date
      case kSecUseDataProtectionKeychain:
        guard value is Bool else { return .failure(errSecParam) }
      case kSecMatchLimit:
        // Adding and updating take no matches.
        guard use == .find else { return .failure(errSecParam) }
        switch value as? String {
        case kSecMatchLimitOne: query.limit = 1
        case kSecMatchLimitAll: query.limit = .max
        default: return .failure(errSecParam)
        }
      case kSecReturnData, kSecReturnAttributes, kSecReturnPersistentRef:
        guard let flag = value as? Bool, use == .find || use == .add else { return .failure(errSecParam) }
        switch key {
        case kSecReturnData: query.returnsData = flag
        case kSecReturnAttributes: query.returnsAttributes = flag
        default: query.returnsReference = flag
        }
      case kSecValuePersistentRef:
        guard let data = value as? Data, use != .add, use != .change,
          let serial = Int(String(decoding: data, as: UTF8.self))
        else { return .failure(errSecParam) }
        query.reference = serial
      case kSecUseAuthenticationUI:
        switch value as? String {
        case kSecUseAuthenticationUIFail: query.mayInteract = false
        case kSecUseAuthenticationUISkip where use == .find: query.skips = true
        default: return .failure(errSecParam)
        }
      case kSecUseAuthenticationContext:
        guard let context = value as? LAContext else { return .failure(errSecParam) }
        query.mayInteract = !context.interactionNotAllowed
        query.context = context
      default: return .failure(errSecNoSuchAttr)
      }
    }
    if let control = query.control {
      if let protection = query.protection, protection != control.protection { return .failure(errSecParam) }
      query.protection = control.protection
    }
    guard hasClass || use == .change else { return .failure(errSecParam) }
    if query.reference != nil {
      // errSecItemIllegalQuery: "both row_id and other attributes can't be searched at the same time"
      guard query.attributes == 0 else { return .failure(errSecParam) }
      query.isSynchronizable = nil
      return .success(query)
    }
    if query.group == nil, use != .add, use != .change { callsWithoutGroup.append("\(use)") }
    if let group = query.group, !accessGroups.contains(group) { return .failure(errSecMissingEntitlement) }
    return .success(query)
  }

  struct Status: Error, ExpressibleByIntegerLiteral {
    let code: OSStatus
    init(_ code: OSStatus) { self.code = code }
    init(integerLiteral value: Int32) { code = value }
  }

  /// Items of the app's groups that a query matches, oldest first. Without a group, of all of them.
  private func matching(_ query: Query) -> [Item] {
    items.values.filter { item in
      accessGroups.contains(item.key.group)
        && (query.group == nil || query.group == item.key.group)
        && (query.service == nil || query.service == item.key.service)
        && (query.account == nil || query.account == item.key.account)
        && (query.isSynchronizable == nil || query.isSynchronizable == item.key.isSynchronizable)
        && (query.protection == nil || query.protection == item.protection)
        && (query.generic == nil || query.generic == item.generic)
        && (query.modified == nil || query.modified == item.modified)
        && (query.reference == nil || query.reference == item.serial)
    }.sorted { $0.serial < $1.serial }
  }

  /// Returns true if the key of a protection class is available. It protects the attributes of an item too.
  private func isAvailable(_ protection: String) -> Bool {
    switch state {
    case .unlocked: true
    case .locked: protection.hasPrefix("c") || protection.hasPrefix("d")
    case .beforeFirstUnlock: protection.hasPrefix("d")
    }
  }

  fileprivate func authenticate(_ query: Query) -> OSStatus {
    if query.context?.isAuthenticated == true { return errSecSuccess }
    guard query.mayInteract else { return errSecInteractionNotAllowed }
    prompts += 1
    lastReason = query.context?.localizedReason ?? ""
    switch answer {
    case .allows:
      query.context?.isAuthenticated = true
      return errSecSuccess
    case .cancels: return errSecUserCanceled
    case .fails: return errSecAuthFailed
    }
  }

  // MARK: Calls

  func add(_ attributes: [String: Any], _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    if let status = before?("add"), status != errSecSuccess { return status }
    return lock.withLock {
      let query: Query
      switch parse(attributes, .add) {
      case .success(let parsed): query = parsed
      case .failure(let status): return status.code
      }
      if query.control?.flags.isEmpty == false, query.isSynchronizable == true { return errSecParam }
      let protection = query.protection ?? kSecAttrAccessibleWhenUnlocked
      if protection == kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, !hasPasscode { return errSecAuthFailed }
      guard isAvailable(protection) else { return errSecInteractionNotAllowed }
      guard let group = query.group ?? accessGroups.first else { return errSecMissingEntitlement }
      let key = Key(
        group: group, service: query.service ?? Data(), account: query.account ?? Data(),
        // "Any" is no attribute: the item gets the default.
        isSynchronizable: query.isSynchronizable ?? false)
      guard items[key] == nil else { return errSecDuplicateItem }
      serial += 1
      items[key] = Item(
        serial: serial, key: key, service: query.serviceText, account: query.accountText, protection: protection,
        control: query.control?.flags ?? [], data: query.data, generic: query.generic, modified: now())
      if query.returnsAttributes {
        guard let result else { return errSecParam }
        result.pointee = [kSecAttrAccessGroup: group, kSecAttrAccessible: protection]
      }
      return errSecSuccess
    }
  }

  func find(_ dictionary: [String: Any], _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    if let status = before?("find"), status != errSecSuccess { return status }
    if dictionary[kSecClass] as? String == kSecClassKey { return findKey(dictionary, result) }
    return lock.withLock {
      let query: Query
      switch parse(dictionary, .find) {
      case .success(let parsed): query = parsed
      case .failure(let status): return status.code
      }
      if query.returnsData || query.returnsAttributes, result == nil { return errSecParam }
      var found: [Any] = []
      for item in matching(query) {
        guard found.count < query.limit ?? 1 else { break }
        if query.returnsData, isInvalidated(item) { continue }
        guard isAvailable(item.protection) else { return errSecInteractionNotAllowed }
        if query.returnsData || asksForAttributes && query.returnsAttributes, !item.control.isEmpty {
          if query.skips { continue }
          let status = authenticate(query)
          guard status == errSecSuccess else { return status }
        }
        if query.returnsAttributes {
          var attributes: [String: Any] = [
            kSecAttrAccessGroup: item.key.group,
            kSecAttrSynchronizable: NSNumber(value: item.key.isSynchronizable ? 1 : 0),
            kSecAttrAccessible: item.protection, kSecAttrAccessControl: SecAccessControl(item.protection, item.control),
          ]
          attributes[kSecAttrService] = item.service
          attributes[kSecAttrAccount] = item.account
          attributes[kSecAttrGeneric] = item.generic
          attributes[kSecAttrModificationDate] = item.modified
          if query.returnsData { attributes[kSecValueData] = item.data ?? Data() }
          if query.returnsReference { attributes[kSecValuePersistentRef] = Data("\(item.serial)".utf8) }
          found.append(attributes)
        } else {
          found.append(query.returnsData ? item.data ?? Data() : 0)
        }
      }
      guard !found.isEmpty else { return errSecItemNotFound }
      if query.returnsData || query.returnsAttributes { result?.pointee = (query.limit ?? 1) == 1 ? found[0] : found }
      return errSecSuccess
    }
  }

  /// Changes every match in one transaction. The user is asked for an item with an access control, also if new data is given.
  func change(_ dictionary: [String: Any], _ attributes: [String: Any]) -> OSStatus {
    if let status = before?("change"), status != errSecSuccess { return status }
    return lock.withLock {
      let query: Query, change: Query
      switch (parse(dictionary, .update), parse(attributes, .change)) {
      case (.success(let parsed), .success(let new)): (query, change) = (parsed, new)
      case (.failure(let status), _), (_, .failure(let status)): return status.code
      }
      if change.control?.flags.isEmpty == false, query.isSynchronizable == true { return errSecParam }
      var changed = items
      let matches = matching(query).filter { !isInvalidated($0) }
      guard !matches.isEmpty else { return errSecItemNotFound }
      for old in matches {
        guard isAvailable(old.protection) else { return errSecInteractionNotAllowed }
        if !old.control.isEmpty {
          let status = authenticate(query)
          guard status == errSecSuccess else { return status }
        }
        var new = old
        new.modified = now()
        if let data = change.data { new.data = data }
        if let generic = change.generic { new.generic = generic }
        if let protection = change.protection {
          if protection == kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, !hasPasscode { return errSecAuthFailed }
          guard isAvailable(protection) else { return errSecInteractionNotAllowed }
          (new.protection, new.control) = (protection, change.control?.flags ?? [])
        }
        changed[old.key] = new
      }
      items = changed
      return errSecSuccess
    }
  }

  /// Deletes every match. The user is not asked: an access control allows deletion to everyone.
  func remove(_ dictionary: [String: Any]) -> OSStatus {
    if let status = before?("remove"), status != errSecSuccess { return status }
    if dictionary[kSecClass] as? String == kSecClassKey { return removeKeys(dictionary) }
    return lock.withLock {
      switch parse(dictionary, .remove) {
      case .failure(let status): return status.code
      case .success(let query):
        let matches = matching(query)
        guard !matches.isEmpty else { return errSecItemNotFound }
        for item in matches { items[item.key] = nil }
        return errSecSuccess
      }
    }
  }
}

extension Result where Failure == FakeKeychain.Status {
  fileprivate static func failure(_ code: OSStatus) -> Self { .failure(FakeKeychain.Status(code)) }
}

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  FakeKeychain.shared.add(attributes, result)
}
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
  FakeKeychain.shared.find(query, result)
}
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
  FakeKeychain.shared.change(query, attributesToUpdate)
}
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { FakeKeychain.shared.remove(query) }

// MARK: Keys

public struct SecKeyAlgorithm: Sendable {
  let name: String
  public static let ecdsaSignatureMessageX962SHA256 = Self(name: "ecdsaSignatureMessageX962SHA256")
}

/// A private key in the Secure Enclave or the keychain, or a public key.
public final class SecKey: @unchecked Sendable {
  fileprivate enum Form {
    case secret(P256.Signing.PrivateKey)
    case open(P256.Signing.PublicKey)
  }
  fileprivate let form: Form
  /// The tag: data, or text. Keychain Services keep the two apart.
  fileprivate let tag: Any
  fileprivate let control: SecAccessControlCreateFlags
  fileprivate let serial: Int
  /// The context of the query that returned the key.
  fileprivate var context: LAContext?

  fileprivate init(_ form: Form, tag: Any, _ control: SecAccessControlCreateFlags, serial: Int) {
    (self.form, self.tag, self.control, self.serial) = (form, tag, control, serial)
  }

  fileprivate var publicKey: P256.Signing.PublicKey {
    switch form {
    case .secret(let key): key.publicKey
    case .open(let key): key
    }
  }
  fileprivate var label: Data { Data(Insecure.SHA1.hash(data: publicKey.x963Representation)) }
}

extension FakeKeychain {
  /// Stores a new private key as an app does, and returns its public key.
  @discardableResult
  public func addKey(tag: Any, _ control: SecAccessControlCreateFlags = []) -> Data {
    let key = SecKey(.secret(.init()), tag: tag, control, serial: newSerial())
    lock.withLock { keys.append(key) }
    return key.publicKey.x963Representation
  }

  public func resetPrompts() { lock.withLock { prompts = 0 } }

  public func removeAllKeys() { lock.withLock { keys = [] } }

  public var keyCount: Int { lock.withLock { keys.count } }

  public func newSerial() -> Int {
    lock.withLock {
      serial += 1
      return serial
    }
  }

  /// Asks the user for the use of a private key, unless its context is authenticated.
  public func useKey(_ control: SecAccessControlCreateFlags, serial: Int, _ context: LAContext?) throws {
    guard state == .unlocked else { throw NSError(domain: "CryptoTokenKit", code: -3) }
    guard !control.isEmpty else { return }
    if control.contains(.biometryCurrentSet), serial <= lastBeforeEnrolment {
      throw NSError(domain: "CryptoTokenKit", code: -3)
    }
    var query = Query()
    query.context = context
    query.mayInteract = context?.interactionNotAllowed != true
    switch lock.withLock({ authenticate(query) }) {
    case errSecSuccess: return
    case errSecUserCanceled: throw NSError(domain: "com.apple.LocalAuthentication", code: -2)
    case errSecInteractionNotAllowed: throw NSError(domain: "com.apple.LocalAuthentication", code: -1004)
    default: throw NSError(domain: "com.apple.LocalAuthentication", code: -1)
    }
  }

  private func keys(matching query: [String: Any]) -> [SecKey] {
    lock.withLock {
      keys.filter { key in
        if let tag = query[kSecAttrApplicationTag] {
          guard (tag as? Data).map({ $0 == key.tag as? Data }) ?? (tag as? String == key.tag as? String) else {
            return false
          }
        }
        return query[kSecAttrApplicationLabel].map { $0 as? Data == key.label } ?? true
      }
    }
  }

  fileprivate func findKey(_ query: [String: Any], _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    guard state == .unlocked else { return errSecInteractionNotAllowed }
    guard let key = keys(matching: query).first else { return errSecItemNotFound }
    let copy = SecKey(key.form, tag: key.tag, key.control, serial: key.serial)
    copy.context = query[kSecUseAuthenticationContext] as? LAContext
    result?.pointee = copy
    return errSecSuccess
  }

  fileprivate func removeKeys(_ query: [String: Any]) -> OSStatus {
    let found = Set(keys(matching: query).map(\.serial))
    lock.withLock { keys.removeAll { found.contains($0.serial) } }
    return found.isEmpty ? errSecItemNotFound : errSecSuccess
  }
}

public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
  SecKey(.open(key.publicKey), tag: key.tag, [], serial: key.serial)
}

public func SecKeyCopyExternalRepresentation(
  _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  guard case .open(let publicKey) = key.form else { return nil }
  return publicKey.x963Representation
}

public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? { [kSecAttrApplicationLabel: key.label] }

public func SecKeyCreateSignature(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  guard case .secret(let secret) = key.form else { return nil }
  do {
    try FakeKeychain.shared.useKey(key.control, serial: key.serial, key.context)
    return try secret.signature(for: dataToSign).derRepresentation
  } catch let fault {
    error?.pointee = .passRetained(fault as NSError)
    return nil
  }
}
