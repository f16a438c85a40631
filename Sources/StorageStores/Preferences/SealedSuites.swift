import SmallFoundation
import StorageSystem

/// The names of the suites that hold values sealed with a master key, recorded in a file of the app's folder.
///
/// UserDefaults on Apple's platforms has no list of suites. Before a first master key is made, the scan for sealed values
/// looks into the suites that are recorded here.
package struct SealedSuites: Sendable {
  private struct Record: Codable {
    /// The version of this file's form.
    var format = 1
    var suites: [String] = []
  }

  private static let largestFile = 1 << 20

  private let file: FileLocation
  private let known = Lock<Set<[UInt8]>>([])

  package init(recordedIn file: FileLocation) { self.file = file }

  /// Returns true if a suite is recorded as far as this process remembers.
  func remembers(_ suite: String) -> Bool { known.withLock { $0.contains(Array(suite.utf8)) } }

  /// Records a suite. Durable on return.
  func record(_ suite: String) throws(StorageFault) {
    if remembers(suite) { return }
    try file.change(upTo: Self.largestFile) { (bytes) throws(StorageFault) in
      var record = try Self.decoded(bytes)
      if record.suites.contains(where: { Self.isSame($0, suite) }) { return nil }
      record.suites = (record.suites + [suite]).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      return try Self.encoded(record)
    }
    known.withLock { _ = $0.insert(Array(suite.utf8)) }
  }

  /// Returns the names of the recorded suites, sorted.
  package func recorded() throws(StorageFault) -> [String] {
    try Self.decoded(try file.readRecord(upTo: Self.largestFile)).suites
  }

  /// Compared as bytes: UserDefaults distinguishes names that are canonically equivalent.
  private static func isSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }

  private static func decoded(_ bytes: Data?) throws(StorageFault) -> Record {
    guard let bytes else { return Record() }
    let record: Record
    do { record = try JSONDecoder().decode(Record.self, from: bytes) } catch { throw .recordDamaged }
    guard record.format == 1 else { throw .unknownFormatVersion }
    return record
  }

  private static func encoded(_ record: Record) throws(StorageFault) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do { return try encoder.encode(record) } catch { throw .cannotEncode }
  }
}
