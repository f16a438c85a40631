import Foundation
import LocalData

/// Examines the files of values: their places, permissions and kinds. It never reads a value.
struct StorageInspection {
  private let configuration: StorageConfiguration
  private let locations: StorageLocations
  private let folder: URL

  init(configuration: StorageConfiguration, folder: URL) {
    self.configuration = configuration
    self.folder = folder
    locations = StorageLocations(configuration, FileStorageConfiguration())
  }

  /// `theme  0600  data/preferences/standard.db  plain value in a SQLite database`
  func line(for key: AnyStorageKey, named name: String) throws -> String {
    let path = try path(of: StorageAddress(container: StorageContainer(key.domain, configuration), name: key.name))
    let kind = key.domain.kind.isFile ? try Self.kind(path) : Self.kind(ofRow: key)
    return Self.row([(name, 20), (try Self.mode(path), 4), (relative(path), 80), (kind, 0)])
  }

  /// Every file and folder below the sample's.
  func files() throws -> [String] {
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return try names.sorted().map { name in
      let path = folder.appendingPathComponent(name).path
      return Self.row([(try Self.mode(path), 4), (name, 82), (try Self.kind(path), 0)])
    }
  }

  private func path(of address: StorageAddress) throws(StorageProblem) -> String {
    let container = address.container
    return container.store == .files ? try locations.path(of: address) : try locations.database(of: container).path
  }

  private func relative(_ path: String) -> String {
    let root = folder.resolvingSymlinksInPath().path + "/"
    return path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
  }

  private static func mode(_ path: String) throws -> String {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let mode = attributes[.posixPermissions] as? Int ?? 0
    return "0" + String(mode, radix: 8)
  }

  private static func kind(_ path: String) throws -> String {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue { return "folder" }
    if path.hasSuffix("-wal") || path.hasSuffix("-shm") { return "SQLite's log or index of it" }
    if path.hasSuffix(".key") { return "key file" }
    guard let file = FileHandle(forReadingAtPath: path) else { return "unreadable" }
    defer { try? file.close() }
    let start = try file.read(upToCount: 16) ?? Data()
    if start.starts(with: Data("SQLite format 3".utf8)) { return "SQLite database" }
    if start.starts(with: [0x89, 0x4C, 0x44, 0x45]) { return sealedKind(start) }
    return start.isEmpty ? "empty: a lock" : "plain file"
  }

  /// From the bytes that `EncryptedFormat.md` documents: the sixth is the algorithm.
  private static func sealedKind(_ start: Data) -> String {
    switch start.dropFirst(5).first {
    case 1: "sealed with AES-256-GCM"
    case 2: "sealed with ChaCha20-Poly1305"
    default: "envelope of a plain value"
    }
  }

  private static func kind(ofRow key: AnyStorageKey) -> String {
    switch (key.domain, key.security) {
    case (.keychain, _): "sealed item of the keystore"
    case (_, .encrypted): "sealed value in a SQLite database"
    default: "plain value in a SQLite database"
    }
  }

  private static func row(_ columns: [(text: String, width: Int)]) -> String {
    columns.map { $0.text.padding(toLength: max($0.width, $0.text.count), withPad: " ", startingAt: 0) }
      .joined(separator: "  ")
  }
}
