import Foundation
public import LocalData
public import LocalDataRecords

/// The expected value of each key and record of the fixtures.
///
/// Later releases must read these values from the bytes that a release stored. Do not change a value after a release was
/// recorded with it.
public protocol StorageFixtureValues: Sendable {
  /// - Parameter ofRelease: The release whose bytes are written or read. If a schema upgrade cannot preserve a value, use
  ///   another value for earlier releases.
  init(ofRelease: String)
}

/// The bytes that releases of an app stored for the keys and records of a catalog. Tests read them with today's code.
///
/// `local-data fixtures` writes the test that uses this type. Each release has a folder, `Fixtures/<catalog>/<release>`, with
/// a file for each key. The file contains the stored bytes with their addresses. For an encrypted value it also contains the
/// record of the master key. This key consists of fixed bytes and protects nothing. The file of a database contains its tables
/// and one row of each record, as statements of SQL.
public struct StorageFixtures<Values: StorageFixtureValues>: Sendable {
  private let folder: URL
  private var keys: [String: FixtureKey] = [:]
  private var databases: [String: FixtureDatabase] = [:]
  /// The releases of databases that must be recorded.
  private var required: [(release: String, database: String)] = []

  /// Creates the fixtures of a catalog, in the folder of the file that calls this initializer.
  ///
  /// - Parameters:
  ///   - catalog: The name of the catalog, which is the name of the fixtures' folder, for example `"AccountCatalog"`.
  ///   - file: A file beside the folder `Fixtures`. The default is the file that calls this initializer.
  public init(of catalog: String, beside file: String = #filePath) {
    folder = URL(fileURLWithPath: file).deletingLastPathComponent()
      .appendingPathComponent("Fixtures").appendingPathComponent(catalog)
  }

  /// The release to record, from the environment variable `LOCALDATA_RECORD_FIXTURES`; `nil` if it is not set.
  public static var releaseToRecord: String? { ProcessInfo.processInfo.environment["LOCALDATA_RECORD_FIXTURES"] }

  /// Adds a key and the value that is stored for it.
  ///
  /// ```swift
  /// fixtures.add("theme", .theme) { $0.theme }
  /// ```
  ///
  /// - Parameters:
  ///   - member: The name of the key in the generated code, which is the name of the fixture's file.
  ///   - key: The key.
  ///   - value: Returns the value of the key, given the expected values of a release.
  public mutating func add<Value: Equatable>(
    _ member: String, _ key: StorageKey<Value>, _ value: @escaping @Sendable (Values) -> Value
  ) {
    keys[member] = FixtureKey(key) { value(Values(ofRelease: $0)) }
  }

  /// Adds a record that is stored in its database. A record to which it refers must be added before it.
  ///
  /// ```swift
  /// fixtures.add { $0.credential }
  /// ```
  ///
  /// - Parameter value: Returns the record, given the expected values of a release.
  public mutating func add<Record: StorageRecord>(_ value: @escaping @Sendable (Values) -> Record) {
    databases[Self.name(of: Record.Database.self), default: FixtureDatabase(Record.Database.self)]
      .add { value(Values(ofRelease: $0)) }
  }

  /// Requires that a database is recorded for releases. A fixture that is missing fails its check.
  ///
  /// - Parameters:
  ///   - database: The database, whose type is the name of the fixture's file.
  ///   - releases: The releases that have the database, for example `["1.0", "1.2"]`.
  public mutating func require<Database: RecordDatabase>(_ database: Database.Type, in releases: [String]) {
    required += releases.map { ($0, Self.name(of: database)) }
  }

  private static func name(of database: any RecordDatabase.Type) -> String { String(describing: database) }

  /// Returns the recorded fixtures, sorted by release and key, and those that are required and missing.
  ///
  /// - Returns: The fixtures. The array is empty if nothing was recorded and nothing is required.
  /// - Throws: The error of Foundation if a folder cannot be listed.
  public func recorded() throws -> [StorageFixture] {
    var fixtures: [StorageFixture] = []
    for release in try names(in: folder) {
      let release = folder.appendingPathComponent(release)
      for name in try names(in: release) where name.hasSuffix(FixtureFile.suffix) {
        let member = String(name.dropLast(FixtureFile.suffix.count))
        let subject: (any FixtureSubject)? = keys[member] ?? databases[member]
        fixtures.append(StorageFixture(file: release.appendingPathComponent(name), member: member, subject: subject))
      }
    }
    for (release, database) in required {
      let file = folder.appendingPathComponent(release).appendingPathComponent(database + FixtureFile.suffix)
      if FileManager.default.fileExists(atPath: file.path) { continue }
      fixtures.append(StorageFixture(file: file, member: database, subject: databases[database]))
    }
    return fixtures
  }

  /// Stores the value of each key and record, and writes the stored bytes to the folder of a release. A release can be recorded only
  /// once.
  ///
  /// - Parameter release: The version of the release, for example `1.2`.
  /// - Throws: ``StorageFixtureError`` if the release is recorded already or cannot be the name of a folder, or if a value
  ///   cannot be stored. The error of Foundation if a file cannot be written. After an error the folder does not exist.
  @concurrent public func record(_ release: String) async throws {
    guard !release.isEmpty, !release.hasPrefix("."), !release.contains("/") else {
      throw StorageFixtureError("'\(release)' is not the name of a release.")
    }
    let destination = folder.appendingPathComponent(release)
    guard !FileManager.default.fileExists(atPath: destination.path) else {
      throw StorageFixtureError("Release '\(release)' is recorded already. What a release has stored does not change.")
    }
    // The folder gets its name after all files are written, so that no test reads an incomplete folder.
    let staged = folder.appendingPathComponent(".\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: staged, withIntermediateDirectories: true)
    do {
      let subjects = keys.map { ($0, $1 as any FixtureSubject) } + databases.map { ($0, $1) }
      for (member, subject) in subjects {
        let file = staged.appendingPathComponent(member + FixtureFile.suffix)
        try await subject.record(release: release, member: member).write(to: file)
      }
      try FileManager.default.moveItem(at: staged, to: destination)
    } catch {
      // The caller gets the first error. An error of the cleanup is ignored.
      try? FileManager.default.removeItem(at: staged)
      throw error
    }
  }

  /// Returns the visible names in a folder, sorted. Returns no names if the folder does not exist.
  private func names(in folder: URL) throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
  }
}

/// An error of a fixture. It names the member and the release, and never contains a value.
public struct StorageFixtureError: Error, CustomStringConvertible {
  /// The error in one line.
  public let description: String

  init(_ description: String) { self.description = description }
}
