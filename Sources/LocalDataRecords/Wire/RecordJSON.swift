import LocalData
import LocalDataFoundation

/// Values of Swift types in JSON, as keys store them.
enum RecordJSON {
  static func bytes<Value: Codable & Sendable>(of value: Value) throws(StorageProblem) -> Data {
    do { return try Serializer<Value>.json.encode(value) } catch { throw .cannotEncode }
  }

  static func value<Value: Codable & Sendable>(of bytes: Data) throws(StorageProblem) -> Value {
    do { return try Serializer<Value>.json.decode(bytes) } catch {
      throw StorageProblem(decoding: error)
    }
  }
}

extension UUID {
  /// Creates an identifier, or returns nil if these are not 16 bytes.
  init?(recordBytes bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }
}
