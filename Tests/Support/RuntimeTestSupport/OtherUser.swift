#if os(Linux)
  import Foundation
  import LocalData
  package import TestSupport

  /// A user without root's rights, in whose folder a probe works.
  package struct OtherUser {
    private static let setpriv: String? = ["/usr/bin/setpriv", "/bin/setpriv"]
      .first { (path: String) in access(path, X_OK) == 0 }
    private static let id = 65_534

    package static var isAvailable: Bool { geteuid() != 0 || setpriv != nil }

    private let probe: String
    private let folder: String

    package init(in fixture: StoreFixture) throws {
      folder = fixture.path("store")
      probe = fixture.path("storage-probe")
      // The folder of the build may be closed to others.
      try FileManager.default.copyItem(atPath: ChildProcess.probe, toPath: probe)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: probe)
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      if geteuid() == 0 { chown(folder, uid_t(Self.id), gid_t(Self.id)) }
      // A process that another test starts at this moment still has the copy open for writing: it cannot be run yet.
      for _ in 0..<6_000 {
        if (try? ChildProcess.run(probe, []))?.code == 64 { break }
        usleep(10_000)
      }
    }

    /// Gives a file or folder to this user.
    package static func take(_ path: String) throws {
      if geteuid() == 0, chown(path, uid_t(id), gid_t(id)) != 0 { throw StorageProblem(errno: errno) }
    }

    package func run(_ store: String, _ words: String...) throws -> ChildProcess.End {
      let words = [store, folder] + words
      guard geteuid() == 0, let setpriv = Self.setpriv else { return try ChildProcess.run(probe, words) }
      return try ChildProcess.run(
        setpriv, ["--reuid", "\(Self.id)", "--regid", "\(Self.id)", "--clear-groups", probe] + words)
    }
  }
#endif
