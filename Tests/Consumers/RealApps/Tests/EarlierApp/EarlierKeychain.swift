import Foundation

#if canImport(Security)
  import Security
#endif

/// Items as apps store them, with the Security framework.
struct EarlierKeychain: Sendable {
  let service: String?
  let accessGroup: String?
  /// A Boolean value that indicates whether iCloud Keychain copies the items to other devices.
  let isSynchronizable: Bool

  /// Returns the place of an item with bytes.
  func data(_ account: String?) -> Place<Data> {
    Place(read: { try stored(account) }, write: { try store($0, account) })
  }

  /// Returns the place of an item with a text in UTF-8.
  subscript(_ account: String?) -> Place<String> {
    Place(
      read: { try stored(account).flatMap { String(data: $0, encoding: .utf8) } },
      write: { try store(Data($0.utf8), account) })
  }

  /// Returns the place of an item with JSON.
  func json<Value: Codable & Sendable>(_ account: String?) -> Place<Value> {
    Place(
      read: { try stored(account).map { try JSONDecoder().decode(Value.self, from: $0) } },
      write: { try store(try JSONEncoder().encode($0), account) })
  }

  #if canImport(Security)
    private struct Failure: Error { let status: OSStatus }

    private func query(_ account: String?) -> [String: Any] {
      var query: [String: Any] = [kSecClass as String: kSecClassGenericPassword]
      query[kSecUseDataProtectionKeychain as String] = true
      if let service { query[kSecAttrService as String] = service }
      if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
      if isSynchronizable { query[kSecAttrSynchronizable as String] = true }
      if let account { query[kSecAttrAccount as String] = account }
      return query
    }

    private func stored(_ account: String?) throws -> Data? {
      var query = query(account)
      query[kSecReturnAttributes as String] = true
      query[kSecReturnData as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitAll
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess else { throw Failure(status: status) }
      // A query without a service finds the items of all services.
      let items = (found as? [[String: Any]] ?? []).filter {
        ($0[kSecAttrService as String] as? String ?? "") == service ?? ""
          && ($0[kSecAttrAccount as String] as? String ?? "") == account ?? ""
      }
      return items.first?[kSecValueData as String] as? Data
    }

    private func store(_ data: Data, _ account: String?) throws {
      var status = errSecSuccess
      if try stored(account) == nil {
        let attributes =
          [
            kSecValueData as String: data,
            kSecAttrAccessible as String: isSynchronizable
              ? kSecAttrAccessibleAfterFirstUnlock : kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
          ] as [String: Any]
        status = SecItemAdd(query(account).merging(attributes) { $1 } as CFDictionary, nil)
      } else {
        status = SecItemUpdate(query(account) as CFDictionary, [kSecValueData as String: data] as CFDictionary)
      }
      guard status == errSecSuccess else { throw Failure(status: status) }
    }
  #else
    private struct NoKeychain: Error {}

    private func stored(_ account: String?) throws -> Data? { throw NoKeychain() }
    private func store(_ data: Data, _ account: String?) throws { throw NoKeychain() }
  #endif
}
