#if SecretService && os(Linux)
  internal import CLocalDataSecret
  internal import Foundation
  internal import LocalData

  /// A connection to the Secret Service, for one call.
  struct Keyring: ~Copyable {
    private let service: GLibObject<SecretService>
    private let asksToUnlock: Bool

    init(asksToUnlock: Bool) throws {
      let service = try GLibObject.required { error in
        secret_service_open_sync(secret_service_get_type(), nil, SECRET_SERVICE_OPEN_SESSION, nil, error)
      }
      self.service = service
      self.asksToUnlock = asksToUnlock
    }

    /// Returns the bytes of the item of a key, or `nil` if no keyring lists such an item.
    func secret(keyID: String) throws -> Data? {
      let attributes = local_data_attributes(keyID, nil, nil)
      defer { g_hash_table_unref(attributes) }
      var failure: UnsafeMutablePointer<GError>?
      let found = secret_service_search_sync(
        service.pointer, local_data_schema(), attributes, SECRET_SEARCH_ALL, nil, &failure)
      defer { g_list_free_full(found) { g_object_unref($0) } }
      if let failure { throw RootKeyServiceError(taking: failure) }
      var isLocked = false
      var next = found
      while let entry = next {
        next = entry.pointee.next
        guard let item = entry.pointee.data?.assumingMemoryBound(to: SecretItem.self) else { continue }
        if let bytes = try secret(of: item) { return bytes }
        isLocked = true
      }
      if isLocked { throw RootKeyServiceError.locked }
      return nil
    }

    /// Returns the bytes of an item, or `nil` if it is locked.
    private func secret(of item: UnsafeMutablePointer<SecretItem>) throws -> Data? {
      if secret_item_get_locked(item) != 0, !unlock(item) { return nil }
      var failure: UnsafeMutablePointer<GError>?
      guard secret_item_load_secret_sync(item, nil, &failure) != 0, let value = secret_item_get_secret(item) else {
        if let failure { throw RootKeyServiceError(taking: failure) }
        return nil
      }
      defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
      var count: gsize = 0
      guard let bytes = secret_value_get(value, &count) else { throw RootKeyServiceError.unavailable }
      return Data(bytes: bytes, count: Int(count))
    }

    /// Throws ``RootKeyServiceError/locked`` if the default keyring is locked and the user does not unlock it.
    func unlockDefault() throws {
      let collection = try defaultCollection()
      guard secret_collection_get_locked(collection.pointer) != 0, !unlock(collection.pointer) else { return }
      throw RootKeyServiceError.locked
    }

    /// Stores bytes in a new item of the default keyring. No other item is replaced.
    func store(_ key: Data, _ id: RootKeyID) throws {
      let collection = try defaultCollection()
      let attributes = local_data_attributes(id.id, id.applicationName, id.group)
      defer { g_hash_table_unref(attributes) }
      let value = key.withUnsafeBytes { bytes in
        secret_value_new(
          bytes.bindMemory(to: CChar.self).baseAddress, gssize(bytes.count), "application/octet-stream")
      }
      defer { secret_value_unref(value.map { UnsafeMutableRawPointer($0) }) }
      _ = try GLibObject.required { error in
        secret_item_create_sync(
          collection.pointer, local_data_schema(), attributes, "Storage of " + id.applicationName, value,
          SECRET_ITEM_CREATE_NONE, nil, error)
      }
    }

    private func defaultCollection() throws -> GLibObject<SecretCollection> {
      guard let collection = GLibObject(local_data_default_collection(service.pointer)) else {
        throw RootKeyServiceError.unavailable
      }
      return collection
    }

    /// Asks the user to unlock an object, if `asksToUnlock` is true. Returns true if it is unlocked.
    private func unlock(_ object: UnsafeMutableRawPointer) -> Bool {
      guard asksToUnlock else { return false }
      let list = g_list_append(nil, object)
      defer { g_list_free(list) }
      return secret_service_unlock_sync(service.pointer, list, nil, nil, nil) == 1
    }
  }

  /// A reference to an object of GLib.
  struct GLibObject<Object>: ~Copyable {
    let pointer: UnsafeMutablePointer<Object>

    /// Takes over a reference.
    init?(_ pointer: UnsafeMutablePointer<Object>?) {
      guard let pointer else { return nil }
      self.pointer = pointer
    }

    deinit { g_object_unref(pointer) }

    /// Returns the object that a function makes, or throws its error.
    static func required(
      _ make: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> UnsafeMutablePointer<Object>?
    ) throws -> GLibObject {
      var failure: UnsafeMutablePointer<GError>?
      guard let object = GLibObject(make(&failure)) else {
        guard let failure else { throw RootKeyServiceError.unavailable }
        throw RootKeyServiceError(taking: failure)
      }
      return object
    }
  }

  extension RootKeyServiceError {
    /// Creates the error for an error of GLib, and frees that one. Its text is not passed on.
    init(taking error: UnsafeMutablePointer<GError>) {
      self = local_data_is_locked(error) != 0 ? .locked : .unavailable
      g_error_free(error)
    }
  }
#endif
