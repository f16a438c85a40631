import LocalDataFoundation
package import LocalDataSystem

/// A small file of JSON with a state of the library. It has no secret.
///
/// ```
/// {"checksum":3278994504,"format":1,"subDirectory":"values"}
/// ```
///
/// The checksum is the CRC-32 of the text without the checksum, here `{"format":1,"subDirectory":"values"}`. It shows every
/// changed byte, also in a field that only a later version of the library knows.
package struct StateFile<Content: Codable & Sendable>: Sendable {
  private let location: FileLocation

  private struct Header: Decodable {
    var format: Int
    var checksum: UInt32?
  }

  private struct Fields: Encodable {
    enum Key: String, CodingKey { case format }

    let content: Content

    func encode(to encoder: any Encoder) throws {
      try content.encode(to: encoder)
      var fields = encoder.container(keyedBy: Key.self)
      try fields.encode(1, forKey: .format)
    }
  }

  package init(_ location: FileLocation) { self.location = location }

  /// Returns the content, or `nil` if there is no file.
  ///
  /// - Throws: ``StorageProblem/locationsDamaged``, ``StorageProblem/unknownFormatVersion`` if a later version of the library has
  ///   written the file, and the fault of the system call that failed.
  package func read() throws(StorageProblem) -> Content? {
    let bytes: Data?
    do throws(StorageProblem) { bytes = try location.read(upTo: Self.largestFile) } catch {
      throw error.code == .valueTooLarge ? .locationsDamaged : error
    }
    return try bytes.map { (bytes) throws(StorageProblem) in try Self.content(of: bytes) }
  }

  /// Creates the file, and returns its content. If another process was first, that is another one. Durable on return.
  ///
  /// - Parameter protection: The attributes of a new file.
  ///
  /// - Throws: What ``read()`` throws, and the fault of a file that cannot be created.
  package func create(_ content: Content, _ protection: FileProtection = .standard) throws(StorageProblem) -> Content {
    if try location.create(try Self.bytes(of: content), protection) { return content }
    guard let found = try read() else { throw .busy }
    return found
  }

  /// Replaces the content by the result of `change`. If the result is nil, the file is unchanged. Durable on return.
  ///
  /// - Throws: What ``read()`` throws, and the fault of a file that cannot be written.
  package func change(_ change: (Content?) throws(StorageProblem) -> Content?) throws(StorageProblem) {
    try location.change { () throws(StorageProblem) in
      try change(try read()).map { (content) throws(StorageProblem) in try Self.bytes(of: content) }
    }
  }

  /// The most bytes of a file: many times those that the library writes.
  private static var largestFile: Int { 1 << 20 }

  private static func start(_ checksum: UInt32) -> Data { Data("{\"checksum\":\(checksum),".utf8) }

  private static func bytes(of content: Content) throws(StorageProblem) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let fields: Data
    do { fields = try encoder.encode(Fields(content: content)) } catch { throw .cannotEncode }
    return start(CRC32.checksum(of: fields)) + fields.dropFirst()
  }

  private static func content(of bytes: Data) throws(StorageProblem) -> Content {
    do {
      let header = try JSONDecoder().decode(Header.self, from: bytes)
      guard header.format <= 1 else { throw StorageProblem.unknownFormatVersion }
      let start = start(header.checksum ?? 0)
      let fields = Data("{".utf8) + bytes.dropFirst(start.count)
      guard header.format == 1, bytes.starts(with: start), CRC32.checksum(of: fields) == header.checksum else {
        throw StorageProblem.locationsDamaged
      }
      return try JSONDecoder().decode(Content.self, from: fields)
    } catch { throw error as? StorageProblem ?? .locationsDamaged }
  }
}
