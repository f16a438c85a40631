import Foundation

/// A configured location that values were written under, kept beside them: another configuration would not find them.
///
/// A file of JSON in the app's data, or in the container of a group, made with the first value.
struct RecordedLocation: Codable, Hashable, Sendable {
  /// Of this file's form.
  var format = 1
  /// ``FileStorageConfiguration/subDirectory``, for files.
  var subDirectory: String?
  /// ``EncryptionConfiguration/masterKeyService``, for sealed values.
  var masterKeyService: String?
  /// ``EncryptionConfiguration/masterKeyAccount``, for sealed values.
  var masterKeyAccount: String?

  static func files(_ configuration: FileStorageConfiguration) -> RecordedLocation {
    RecordedLocation(subDirectory: configuration.subDirectory)
  }

  static func masterKey(_ configuration: EncryptionConfiguration) -> RecordedLocation {
    RecordedLocation(
      masterKeyService: configuration.masterKeyService, masterKeyAccount: configuration.masterKeyAccount)
  }

  /// Many times what a record takes.
  private static let largestFile = 1 << 16

  /// Compares with the record in a file. What is not recorded yet differs from nothing, and is recorded where `isWriting`.
  ///
  /// - Returns: Whether it is on record now.
  func check(_ file: FileLocation, isWriting: Bool) throws(StorageFault) -> Bool {
    if let recorded = try Self.read(file) { return try matches(recorded) }
    guard isWriting else { return false }
    if try file.create(try encoded()) { return true }
    // Another process was first.
    guard let recorded = try Self.read(file) else { throw .busy }
    return try matches(recorded)
  }

  private func matches(_ recorded: RecordedLocation) throws(StorageFault) -> Bool {
    guard recorded == self else { throw .configurationConflict }
    return true
  }

  private static func read(_ file: FileLocation) throws(StorageFault) -> RecordedLocation? {
    guard let bytes = try file.read(upTo: largestFile) else { return nil }
    let recorded: RecordedLocation
    do { recorded = try JSONDecoder().decode(Self.self, from: bytes) } catch { throw .corrupted }
    guard recorded.format == 1 else { throw .unknownFormatVersion }
    return recorded
  }

  private func encoded() throws(StorageFault) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do { return try encoder.encode(self) } catch { throw .cannotEncode }
  }
}
