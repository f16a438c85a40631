import Foundation
public import LocalData

/// The value of each key that fixtures hold.
///
/// What a release has stored must read as these values ever after, so that a value stays as it is once a release was
/// recorded with it.
public protocol StorageFixtureValues: Sendable {
  /// - Parameter ofRelease: The release whose bytes are written or read: where a change of the schema cannot keep a value,
  ///   that of an earlier release is said here.
  init(ofRelease: String)
}

/// What releases of an app have stored for the keys of a catalog, kept in files beside the tests, and read by today's
/// code.
///
/// `local-data fixtures` writes the test that calls this. A release is a folder, `Fixtures/<catalog>/<release>`, a key a
/// file in it: the stored bytes with their places, and, for a sealed value, the record of the master key. That key is made
/// of fixed bytes and protects nothing.
public struct StorageFixtures<Values: StorageFixtureValues>: Sendable {
  private let folder: URL
  private var keys: [String: FixtureKey] = [:]

  /// The fixtures of a catalog, beside the file that names them.
  public init(of catalog: String, beside file: String = #filePath) {
    folder = URL(fileURLWithPath: file).deletingLastPathComponent()
      .appendingPathComponent("Fixtures").appendingPathComponent(catalog)
  }

  /// The release to record: `LOCALDATA_RECORD_FIXTURES` of the environment.
  public static var releaseToRecord: String? { ProcessInfo.processInfo.environment["LOCALDATA_RECORD_FIXTURES"] }

  /// Adds a key, with the value that is stored under it.
  public mutating func add<Value: Equatable>(
    _ member: String, _ key: StorageKey<Value>, _ value: @escaping @Sendable (Values) -> Value
  ) {
    keys[member] = FixtureKey(key) { value(Values(ofRelease: $0)) }
  }

  /// What is recorded, by release and key. Empty where nothing is.
  ///
  /// - Throws: What Foundation throws of a folder that cannot be listed.
  public func recorded() throws -> [StorageFixture] {
    var fixtures: [StorageFixture] = []
    for release in try names(in: folder) {
      let release = folder.appendingPathComponent(release)
      for name in try names(in: release) where name.hasSuffix(FixtureFile.suffix) {
        let member = String(name.dropLast(FixtureFile.suffix.count))
        fixtures.append(StorageFixture(file: release.appendingPathComponent(name), member: member, key: keys[member]))
      }
    }
    return fixtures
  }

  /// Stores the value of each key, and keeps the bytes as those of a release. A release is recorded once.
  ///
  /// - Throws: ``StorageFixtureError`` for a release that is recorded already or cannot be the name of a folder, and for a
  ///   key that cannot be stored; what Foundation throws of files that cannot be written. No folder is left then.
  public func record(_ release: String) async throws {
    guard !release.isEmpty, !release.hasPrefix("."), !release.contains("/") else {
      throw StorageFixtureError("'\(release)' is not the name of a release.")
    }
    let destination = folder.appendingPathComponent(release)
    guard !FileManager.default.fileExists(atPath: destination.path) else {
      throw StorageFixtureError("Release '\(release)' is recorded already. What a release has stored does not change.")
    }
    // A folder that is read is whole: it takes its name when all of it is there.
    let staged = folder.appendingPathComponent(".\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: staged, withIntermediateDirectories: true)
    do {
      for (member, key) in keys {
        let file = staged.appendingPathComponent(member + FixtureFile.suffix)
        try await key.record(release: release, member: member).write(to: file)
      }
      try FileManager.default.moveItem(at: staged, to: destination)
    } catch {
      // The first failure is the one to tell.
      try? FileManager.default.removeItem(at: staged)
      throw error
    }
  }

  /// The visible names in a folder, sorted; none where there is no folder.
  private func names(in folder: URL) throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
  }
}

/// Why a fixture is not what it should be: with the key's member and the release, never a value.
public struct StorageFixtureError: Error, CustomStringConvertible {
  /// One line.
  public let description: String

  init(_ description: String) { self.description = description }
}
