#if os(Linux)
  import Foundation
  import LocalDataTesting
  import ProbeKeys
  import RuntimeTestSupport

  /// The files of an app that has stored much.
  struct SalvageSeed: Sendable {
    private static let time = 60.0
    private var folders: [String] = []
    private var files: [String: Data] = [:]

    /// Stores a value at each address, and then what `fill` stores.
    init(_ fill: (RelaunchedApp) throws -> Void) async throws {
      let app = try RelaunchedApp()
      for address in ProbeAddress.allCases { try await app.launch().set("old", for: address.retained) }
      try fill(app)
      for name in try FileManager.default.subpathsOfDirectory(atPath: app.fixture.folder.path) {
        let path = app.fixture.path(name)
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        if isFolder.boolValue {
          folders.append(name)
        } else if !name.hasSuffix("-shm") {
          files[name] = try Data(contentsOf: URL(fileURLWithPath: path))
        }
      }
    }

    /// Writes the files into the folder of another app, whose clock goes on after the clock of the seeded one.
    func restore(in app: RelaunchedApp) throws {
      app.clock.advance(by: Self.time)
      for name in folders.sorted() {
        try FileManager.default.createDirectory(
          atPath: app.fixture.path(name), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      }
      for (name, bytes) in files {
        _ = FileManager.default.createFile(
          atPath: app.fixture.path(name), contents: bytes, attributes: [.posixPermissions: 0o600])
      }
    }
  }
#endif
