// On Linux it is only tested: it would link all of Foundation.
#if canImport(Darwin) || DEBUG
  package import Foundation
  import LocalDataSystem

  /// Converts between the bytes of a value with the serializer `propertyList` and the object that UserDefaults keeps for
  /// it.
  ///
  /// The bytes of a scalar and of a list of one element are wrapped in a list of one. UserDefaults keeps both as they are, so
  /// that `array(forKey:)` and `@AppStorage` can read them.
  package enum PropertyListObject {
    /// Returns the object to keep. An envelope is stored as its bytes, because a property list cannot express its header.
    package static func object(of bytes: Data) throws(StorageProblem) -> Any {
      if EnvelopeHeader.begins(bytes) { return bytes }
      let object: Any
      do {
        try PropertyListLimits.check(bytes)
        object = try PropertyListSerialization.propertyList(from: bytes, format: nil)
      } catch { throw .corrupted }
      guard let list = object as? [Any], list.count == 1, let element = list.first, !looksLikeEnvelope(list) else {
        return object
      }
      return element
    }

    /// Returns the bytes of an object in UserDefaults, whether the library or other code has stored it.
    package static func bytes(of object: Any) throws(StorageProblem) -> Data {
      if let data = object as? Data, EnvelopeHeader.begins(data) { return data }
      let isWrapped = isWrapped(object) && !looksLikeEnvelope(object)
      do {
        return try PropertyListSerialization.data(
          fromPropertyList: isWrapped ? [object] : object, format: .binary, options: 0)
      } catch { throw .corrupted }
    }

    /// Returns the stored bytes of an object: those of the property list, or those of a `Data` if the key keeps bytes.
    static func storedBytes(of object: Any, _ attributes: StorageAttributes) throws(StorageProblem) -> Data {
      let isObject = attributes.isPropertyListValue || attributes.mayBePropertyListValue
      let bytes: Data
      if isObject {
        bytes = try self.bytes(of: object)
      } else if let data = object as? Data {
        bytes = data
      } else {
        bytes = try otherBytes(of: object, attributes)
      }
      guard bytes.count <= attributes.maxStoredSize else { throw .valueTooLarge(limit: attributes.maxStoredSize) }
      return bytes
    }

    /// Returns bytes that no key reads as a value: a header that is damaged, and the property list of an object.
    private static func otherBytes(of object: Any, _ attributes: StorageAttributes) throws(StorageProblem) -> Data {
      guard attributes.readsOtherObjects else { throw .corrupted }
      return try EnvelopeHeader.damaged + bytes(of: object)
    }

    /// Returns the values of a property list, or nil if it is damaged.
    static func values(in bytes: Data) -> [String: Any]? {
      do {
        try PropertyListLimits.check(bytes)
        return try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any]
      } catch { return nil }
    }

    /// Returns true if an object is stored in a list of one: a scalar, or a list of exactly one element.
    private static func isWrapped(_ object: Any) -> Bool {
      if let list = object as? [Any] { return list.count == 1 }
      return !(object is [String: Any])
    }

    /// Returns true if an object is a `Data` that begins like an envelope, in any number of lists of one.
    ///
    /// On its own it would be read as an envelope. Such an object is therefore kept as its bytes have it, with all lists.
    private static func looksLikeEnvelope(_ object: Any) -> Bool {
      var object = object
      while let list = object as? [Any], list.count == 1, let element = list.first { object = element }
      return (object as? Data).map(EnvelopeHeader.begins) ?? false
    }
  }
#endif
