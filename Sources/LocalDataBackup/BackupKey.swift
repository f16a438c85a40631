@_spi(Generated) public import LocalData
public import LocalDataFoundation

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import Crypto
#endif

/// A key, or a family of keys, of a backup. The document contains the values as JSON. Generated code makes it.
public struct BackupKey: Sendable {
  /// The name in the documents of backups.
  let name: String
  /// The name in a document about the user that has two values of one name.
  private var otherName: String?
  /// The names in documents of earlier releases.
  let earlierNames: [String]
  /// The largest number of bytes of a value in the document.
  let maxSize: Int
  /// Returns the stored names under which there is a value.
  let names: @Sendable (StorageRouter) async throws(StorageError) -> [String]
  /// Returns the JSON of the value with a stored name, or nil if nothing is stored.
  private(set) var read: @Sendable (String, StorageRouter) async throws(StorageError) -> Data?
  /// Stores the value of JSON.
  private(set) var write: @Sendable (String, Data, StorageRouter) async throws(StorageError) -> Void
  private(set) var remove: @Sendable (String, StorageRouter) async throws(StorageError) -> Void
  /// Returns the JSON of a value from that in a document, or nil if it is not one of the key. If the document has an earlier name,
  /// the migration of the key makes the value.
  private(set) var value: @Sendable (_ json: Data, _ storedName: String, _ earlier: FamilyName?) -> Data?
  /// The members of a family; nil for a single key.
  let members: Members?

  /// Returns the key with another name in the document.
  @_spi(Generated) public func named(_ name: String) -> BackupKey {
    var key = self
    key.otherName = name
    return key
  }

  /// The name in a new document.
  var documentName: String { otherName ?? name }

  /// The relation between the stored names of a family's members and their parameters.
  struct Members: Sendable {
    let parameters: @Sendable (_ name: String) -> [String: String]
    let name: @Sendable (_ parameters: [String: String]) -> String?
  }

  /// Creates the key of a backup.
  @_spi(Generated) public static func key<Value: Codable & Sendable>(_ key: StorageKey<Value>) -> BackupKey {
    let any = AnyStorageKey(key)
    return BackupKey(
      any.name, any.moves.map(\.name), maxSize: any.options.maxSize ?? any.domain.kind.defaultMaxSize,
      key: { _ in key },
      names: { (router) throws(StorageError) in try await router.exists(key) ? [any.name] : [] })
  }

  /// Creates the family of a backup.
  @_spi(Generated) public static func family<Value: Codable & Sendable, Parameters>(
    _ family: StorageFamily<Value, Parameters>
  ) -> BackupKey {
    BackupKey(
      family.family.name, family.family.migration?.sources.map(\.name) ?? [], maxSize: 1 << 27,
      key: { family.member(named: $0)?.key },
      names: { (router) throws(StorageError) in try await router.members(of: family).map(\.key.name) },
      Members(
        parameters: { name in family.member(named: name).map { AnyStorageKey($0.key).parameters } ?? [:] },
        name: { family.key($0)?.name }))
  }

  private init<Value: Codable & Sendable>(
    _ name: String, _ earlierNames: [String], maxSize: Int, key: @escaping @Sendable (String) -> StorageKey<Value>?,
    names: @escaping @Sendable (StorageRouter) async throws(StorageError) -> [String], _ members: Members? = nil
  ) {
    let serializer = Serializer<Value>.json
    self.name = name
    self.earlierNames = earlierNames
    self.maxSize = maxSize
    self.names = names
    self.members = members
    read = { (name, router) throws(StorageError) in
      guard let key = key(name), try await router.exists(key) else { return nil }
      let value = try await router.get(key)
      do { return try serializer.encode(value) } catch { throw StorageError(.cannotEncode, AnyStorageKey(key).subject) }
    }
    write = { (name, json, router) throws(StorageError) in
      guard let key = key(name) else { return }
      let value: Value
      do { value = try serializer.decode(json) } catch { throw StorageError(.cannotDecode, AnyStorageKey(key).subject) }
      try await router.set(value, for: key)
    }
    remove = { (name, router) throws(StorageError) in
      if let key = key(name) { try await router.remove(AnyStorageKey(key)) }
    }
    value = { json, name, earlier in
      guard let key = key(name).map(AnyStorageKey.init) else { return nil }
      do {
        if let earlier {
          guard let move = key.moves.first(where: { $0.pattern == earlier.pattern }) else { return nil }
          if let moved = try move.value(json) {
            return try (moved as? Value).flatMap { key.coding.isValid($0) ? try serializer.encode($0) : nil }
          }
        }
        return key.coding.isValid(try serializer.decode(json)) ? json : nil
      } catch { return nil }
    }
  }

  /// Creates the key pair of a backup, by the item that contains it. Only a private key outside of the Secure Enclave can leave the
  /// device.
  ///
  /// - Parameter privateParts: The family of the items with the private keys of a pair that the user confirms; nil for another pair.
  @_spi(Generated) public static func pair(_ item: AnyStorageKey, privateParts: StorageKeyFamily? = nil) -> BackupKey {
    let key = StorageKey<Data?>(item.name, item.domain, item.security, .data)
    return BackupKey.key(key).ofPairs(named: item.name, privateParts) { _ in key }
  }

  /// Creates the family of key pairs of a backup, by the items that contain them.
  ///
  /// - Parameter privateParts: The family of the items with the private keys of pairs that the user confirms; nil for other pairs.
  @_spi(Generated) public static func pairs(
    _ family: StorageFamily<Data?, Void>, privateParts: StorageKeyFamily? = nil
  ) -> BackupKey {
    BackupKey.family(family).ofPairs(named: family.family.name, privateParts) { family.member(named: $0)?.key }
  }

  /// Returns the key with pairs as its values.
  ///
  /// - Parameters:
  ///   - declaredName: The name of the pair or of the family.
  ///   - item: Returns the item of a pair by its stored name.
  private func ofPairs(
    named declaredName: String, _ privateParts: StorageKeyFamily?,
    item: @escaping @Sendable (String) -> StorageKey<Data?>?
  ) -> BackupKey {
    @Sendable func pair(_ name: String) -> BackupPair? {
      item(name).map { BackupPair(item: $0, declaredName: declaredName, privateParts: privateParts) }
    }
    var key = self
    key.read = { (name, router) throws(StorageError) in
      guard let pair = pair(name), let bytes = try await pair.bytes(router) else { return nil }
      let json: Data
      do { json = try Serializer<Data>.json.encode(bytes) } catch { throw StorageError(.cannotEncode, pair.subject) }
      guard Self.isPair(json) else { throw StorageError(.cannotEncode, pair.subject) }
      return json
    }
    key.write = { (name, json, router) throws(StorageError) in
      guard let pair = pair(name) else { return }
      let bytes: Data
      do { bytes = try Serializer<Data>.json.decode(json) } catch { throw StorageError(.cannotDecode, pair.subject) }
      try await pair.store(bytes, router)
    }
    key.remove = { (name, router) throws(StorageError) in try await pair(name)?.remove(router) }
    key.value = { json, _, _ in Self.isPair(json) ? json : nil }
    return key
  }

  /// Returns true if JSON is a pair with a private key: `LDSK`, version 1, kind 2, algorithm 1, the time of creation, the public key
  /// and the private key.
  @Sendable static func isPair(_ json: Data) -> Bool {
    do {
      let bytes = try Serializer<Data>.json.decode(json)
      guard bytes.count == 112, bytes.starts(with: Array("LDSK".utf8) + [1, 2, 1]) else { return false }
      let key = try P256.Signing.PrivateKey(rawRepresentation: bytes.suffix(32))
      return key.publicKey.x963Representation == bytes.dropFirst(15).prefix(65)
    } catch { return false }
  }
}

/// A key pair as one value. If the user confirms its use, its private key is in a separate item.
private struct BackupPair: Sendable {
  let item: StorageKey<Data?>
  /// The name of the pair, or of its family.
  let declaredName: String
  let privateParts: StorageKeyFamily?

  var subject: StorageError.Subject { AnyStorageKey(item).subject }

  /// The number of bytes before the private key.
  private static let publicCount = 80

  /// Returns the item of the private key, by the bytes of a pair.
  private func privateItem(of pair: Data) -> StorageKey<Data?>? {
    guard let privateParts, pair.count >= Self.publicCount else { return nil }
    let digest = Data(pair.prefix(Self.publicCount).dropFirst(15)).sha256.prefix(16).hexadecimal
    let name = item.name + privateParts.name.dropFirst(declaredName.count).replacing("{digest}", with: digest)
    return StorageKey<Data?>(privateParts, StorageKeyName(stringLiteral: name), .data)
  }

  func bytes(_ router: StorageRouter) async throws(StorageError) -> Data? {
    guard let bytes = try await router.get(item) else { return nil }
    guard let privateItem = privateItem(of: bytes) else { return bytes }
    return bytes + (try await router.get(privateItem) ?? Data())
  }

  /// Stores a pair. The private key is stored first, as by the creation of a pair.
  func store(_ bytes: Data, _ router: StorageRouter) async throws(StorageError) {
    guard let privateItem = privateItem(of: bytes) else { return try await router.set(bytes, for: item) }
    let old = try await router.get(item).flatMap { self.privateItem(of: $0) }
    try await router.set(Data(bytes.dropFirst(Self.publicCount)), for: privateItem)
    try await router.set(Data(bytes.prefix(Self.publicCount)), for: item)
    if let old, old.name != privateItem.name { try await router.remove(AnyStorageKey(old)) }
  }

  func remove(_ router: StorageRouter) async throws(StorageError) {
    if let old = try await router.get(item).flatMap({ privateItem(of: $0) }) {
      try await router.remove(AnyStorageKey(old))
    }
    try await router.remove(AnyStorageKey(item))
  }
}

/// The values in a document. Those of a family are a list of `{"parameters":{…},"value":…}`, sorted by their stored names.
extension BackupKey {
  /// Returns the JSON for the document, or nil if nothing is stored.
  func document(_ router: StorageRouter) async throws(StorageError) -> Data? {
    guard let members else { return try await read(name, router) }
    var list: [UInt8] = []
    for member in try await names(router).sorted() {
      guard let json = try await read(member, router) else { continue }
      list.append(UInt8(ascii: list.isEmpty ? "[" : ","))
      list += Self.beginning(members.parameters(member)) + json
      list.append(UInt8(ascii: "}"))
    }
    return list.isEmpty ? nil : Data(list + [UInt8(ascii: "]")])
  }

  /// Returns true if this is the name of the key in a document. The parameters of a family may have had other names.
  func isNamed(_ documentName: String) -> Bool { FamilyName(name).pattern == FamilyName(documentName).pattern }

  /// Returns true if this is an earlier name of the key in a document.
  func wasNamed(_ documentName: String) -> Bool {
    let pattern = FamilyName(documentName).pattern
    return earlierNames.contains { FamilyName($0).pattern == pattern }
  }

  /// Returns the values in the JSON of a document, or nil if it has none of this key.
  ///
  /// - Parameter documentName: The name in the document: that of the key, or one of its earlier names.
  func values(_ json: Data, named documentName: String) -> [RestoredKeys.Value]? {
    let old = FamilyName(documentName)
    let earlier = isNamed(documentName) ? nil : old
    guard let members else { return value(json, name, earlier).map { [.init(name: name, json: $0)] } }
    guard let elements = BackupJSONReader.elements(of: Array(json)[...]),
      let template = ([name] + earlierNames).map(FamilyName.init).first(where: { $0.pattern == old.pattern })
    else { return nil }
    var values: [RestoredKeys.Value] = []
    var known: Set<String> = []
    for element in elements {
      var parameters: [String: String] = [:]
      for (name, value) in BackupJSONReader.value(of: element)?["parameters"]?.members ?? [] {
        parameters[name] = value.text
      }
      let beginning = Self.beginning(parameters)
      let renamed = zip(template.parameters, old.parameters).map { ($0, parameters[$1] ?? "") }
      guard element.starts(with: beginning), Set(parameters.keys) == Set(old.parameters),
        let member = members.name(Dictionary(renamed) { first, _ in first }), known.insert(member).inserted,
        let value = value(Data(element.dropFirst(beginning.count).dropLast()), member, earlier)
      else { return nil }
      values.append(.init(name: member, family: name, json: value))
    }
    return values
  }

  private static func beginning(_ parameters: [String: String]) -> [UInt8] {
    var bytes = Array("{\"parameters\":{".utf8)
    var isFirst = true
    for name in parameters.keys.sorted() {
      bytes.appendName(name, &isFirst)
      bytes.appendJSON(parameters[name] ?? "")
    }
    bytes.append("},\"value\":")
    return bytes
  }
}
