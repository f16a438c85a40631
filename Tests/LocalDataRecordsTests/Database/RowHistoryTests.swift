@_spi(Generated) @testable import LocalDataRecords
import LocalDataShapes
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataSQLite
import LocalDataStores
import LocalDataSystem
import LocalDataVocabulary
import TestSupport
import Testing

/// Random histories of releases that use one database file in any order, with encrypted fields: each release reads what was
/// written last, whichever release wrote it.
struct RowHistoryTests {
  private static let parts = 8

  @Test(arguments: 0..<parts) func everyReleaseReadsWhatWasWrittenLast(part: Int) throws {
    let count = Sweep.count(quick: 40, full: 5_000) / Self.parts
    let fixture = try StoreFixture(isInMemory: true)
    let folder = try fixture.locations.folder(of: .directory(.documents))
    for number in 0..<count {
      let seed = Sweep.seed &* 1_000_003 &+ UInt64(part * count + number)
      let location = FileLocation(folder: folder, name: "\(number).db")
      var history = try RowHistory(seed: seed, location)
      // Some histories are long, most are short.
      for step in 0..<(number % 5 == 0 ? 8 : 3) { try history.step("seed \(seed), step \(step)") }
    }
    Sweep.report("histories of rows, part \(part)", "\(count) histories")
  }
}

/// A history of one file, with a model of its rows.
private struct RowHistory {
  private let releases: [HistoryRelease]
  private let location: FileLocation
  private let sealer: RecordSealer?
  private var files: [Int: RecordFile] = [:]
  private var random: SeededRandom
  /// The values by the numbers of their fields, whether a release knows the fields or not.
  private var rows: [Int: [Int: String]] = [:]
  /// The releases that have opened the file.
  private var opened: Set<Int> = []

  init(seed: UInt64, _ location: FileLocation) throws {
    random = SeededRandom(seed: seed)
    releases = HistoryRelease.all(&random)
    self.location = location
    sealer = RecordSealer(
      database: "history", keys: [1: SecretBytes(Data(repeating: 7, count: 32))], algorithm: .chaCha20Poly1305)
  }

  /// Lets a release open the file, change a row, and read all rows.
  mutating func step(_ comment: Comment) throws {
    let number = Int.random(in: releases.indices, using: &random)
    let release = releases[number]
    try HistoryRow.$release.withValue(release) {
      if let obstacle = try change(number, comment) {
        guard case .refused(let refusal) = obstacle else {
          Issue.record("\(comment): \(obstacle)")
          return
        }
        // A release that writes no sealed part cannot use the table of one that does.
        if refusal.reason == .unsealed {
          #expect(!release.hasSealedPart && opened.contains { releases[$0].hasSealedPart }, "\(comment): \(refusal)")
          return
        }
        // Otherwise only a field that the release declares, and that a newer one has retired, keeps it out.
        #expect(refusal.reason == .retired && release.fields.contains { $0.number == refusal.number }, comment)
        let isReserved = opened.contains { opened in
          opened > number && releases[opened].declaration.reserved.contains { $0.number == refusal.number }
        }
        #expect(isReserved, "\(comment): \(refusal)")
      }
    }
  }

  private mutating func change(_ number: Int, _ comment: Comment) throws -> RecordObstacle? {
    let release = releases[number]
    let file: RecordFile
    if let known = files[number] {
      file = known
    } else {
      file = try RecordFile(HistoryRow.database(release), at: location, patience: .seconds(60), clock: SystemClock())
      files[number] = file
    }
    let id = Int.random(in: 0..<4, using: &random)
    let verb = Int.random(in: 0..<5, using: &random)
    let new = values(of: release)
    let old = rows[id]
    let obstacle = try file.write(sealer) { (session) throws(StorageProblem) in
      switch verb {
      case 0:
        let isDeleted = try session.delete(HistoryRow.declaration, id.recordLiteral)
        #expect(isDeleted == (old != nil), comment)
      case 1, 2: _ = try session.update(id) { (row: inout HistoryRow) in row.values = new }
      default: try session.save(HistoryRow(id: id, values: new))
      }
    }
    if let obstacle { return obstacle }
    opened.insert(number)
    switch verb {
    case 0: rows[id] = nil
    case 1, 2: if let old { rows[id] = Self.merged(old, new, release) }
    default:
      // A record that was not read before contains no encrypted fields of other releases.
      let kept = (old ?? [:]).filter { !release.hasSealedPart || !isSealed($0.key) }
      rows[id] = Self.merged(kept, new, release)
    }
    try check(file, release, comment)
    return nil
  }

  /// Returns a row whose fields of a release have new values.
  private static func merged(_ old: [Int: String], _ new: [Int: String], _ release: HistoryRelease) -> [Int: String] {
    let known = Set(release.fields.map(\.number))
    return old.filter { !known.contains($0.key) }.merging(new) { $1 }
  }

  private func isSealed(_ number: Int) -> Bool {
    releases.contains { $0.fields.contains { $0.number == number && $0.kind.isSealed } }
  }

  /// Returns values of the fields of a release. Few texts, so that queries find several rows.
  private mutating func values(of release: HistoryRelease) -> [Int: String] {
    var values: [Int: String] = [:]
    for field in release.fields {
      let isNeeded = field.kind == .required || field.kind == .withDefault
      guard isNeeded || Int.random(in: 0..<4, using: &random) > 0 else { continue }
      values[field.number] = "text \(Int.random(in: 0..<3, using: &random))"
    }
    return values
  }

  /// Compares what a release reads with the model: all rows, and those that a query finds.
  private mutating func check(_ file: RecordFile, _ release: HistoryRelease, _ comment: Comment) throws {
    let expected = rows.mapValues(release.read)
    let column = release.columns.indices.randomElement(using: &random)
    let text = "text \(Int.random(in: 0..<3, using: &random))"
    let sealer = sealer
    let obstacle = try file.read(sealer) { (session) throws(StorageProblem) in
      let found: [HistoryRow] = try session.all(RecordSelection())
      #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0.values) }) == expected, comment)
      guard let column else { return }
      let field = release.columns[column]
      var selection = RecordSelection()
      let predicate =
        field.kind == .blind
        ? BlindColumn<HistoryRow, String>(column + 1, field.number) == text
        : RecordColumn<HistoryRow, String>(column + 1) == text
      selection.add(predicate.condition)
      let rows: [HistoryRow] = try session.all(selection)
      let ids = rows.map(\.id).sorted()
      #expect(ids == expected.filter { $0.value[field.number] == text }.keys.sorted(), "\(comment): \(field)")
    }
    #expect(obstacle == nil, comment)
  }
}
