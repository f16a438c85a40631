package import Foundation

/// The bytes of a value with the serializer `propertyList`, and the object that UserDefaults keeps for it. A scalar is a
/// list of one in bytes, and itself in UserDefaults.
package enum PropertyListObject {
  /// The object to keep: an envelope, which holds what no property list says, is kept as its bytes.
  package static func object(of bytes: Data) throws(StorageFault) -> Any {
    if EnvelopeHeader.begins(bytes) { return bytes }
    let object: Any
    do { object = try PropertyListSerialization.propertyList(from: bytes, format: nil) } catch { throw .corrupted }
    guard let list = object as? [Any], list.count == 1, let element = list.first, !isContainer(element) else {
      return object
    }
    // A value that begins like an envelope would be read as one.
    if let data = element as? Data, EnvelopeHeader.begins(data) { return object }
    return element
  }

  package static func bytes(of object: Any) throws(StorageFault) -> Data {
    if let data = object as? Data, EnvelopeHeader.begins(data) { return data }
    let list = isContainer(object) ? object : [object]
    do {
      return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    } catch { throw .corrupted }
  }

  /// The stored bytes of an object: a property list, or, where the key keeps bytes, those of a `Data`.
  static func storedBytes(of object: Any, _ attributes: StorageAttributes) throws(StorageFault) -> Data {
    let isObject = attributes.isPropertyListValue || attributes.mayBePropertyListValue
    guard let bytes = try isObject ? bytes(of: object) : object as? Data else {
      throw .corrupted
    }
    guard bytes.count <= attributes.maxStoredSize else { throw .valueTooLarge }
    return bytes
  }

  private static func isContainer(_ object: Any) -> Bool { object is [Any] || object is [String: Any] }
}
