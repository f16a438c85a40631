import Foundation

/// Files as apps store them, at paths of their own.
struct EarlierFiles: Sendable {
  let folder: URL

  /// Returns the place of the bytes of a file.
  func data(_ path: String) -> Place<Data> {
    Place(read: { try bytes(path) }, write: { try store($0, path) }, isNative: true)
  }

  /// Returns the place of a file of JSON.
  func json<Value: Codable & Sendable>(_ path: String) -> Place<Value> {
    Place(
      read: { try bytes(path).map { try JSONDecoder().decode(Value.self, from: $0) } },
      write: { try store(try JSONEncoder().encode($0), path) }, isNative: true)
  }

  /// Returns the place of a file that is a property list.
  func propertyList<Value: Codable & Sendable>(_ path: String) -> Place<Value> {
    Place(
      read: { try bytes(path).map { try PropertyListDecoder().decode(Value.self, from: $0) } },
      write: {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        try store(try encoder.encode($0), path)
      }, isNative: true)
  }

  /// Returns the place of the texts in a table of a database.
  func texts(_ path: String, table: String) -> Place<[String]> {
    let database = EarlierDatabase(file: folder.appendingPathComponent(path), table: table)
    return Place(read: database.texts, write: { try database.store($0) }, isNative: true)
  }

  private func bytes(_ path: String) throws -> Data? {
    FileManager.default.contents(atPath: folder.appendingPathComponent(path).path)
  }

  private func store(_ data: Data, _ path: String) throws {
    let file = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try data.write(to: file, options: .atomic)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
  }
}
