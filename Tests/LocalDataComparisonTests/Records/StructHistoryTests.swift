import LocalDataComparison
import LocalDataModel
import RuntimeTestSupport
import LocalDataVocabulary
import TestSupport
import Testing

/// Structs whose fields releases add, rename, remove and reserve. Stored bytes have their fields by number.
struct StructHistoryTests {
  /// The case of a field that is removed, and of another one that gets its number a release later.
  @Test func aNumberOfARemovedFieldIsNeverUsedAgain() throws {
    let purpose = StructRelease.Field(number: 3, name: "purpose", identity: 3)
    let first = StructRelease(fields: StructRelease.kept + [purpose])
    let second = StructRelease(fields: StructRelease.kept)
    let third = StructRelease(fields: StructRelease.kept + [.init(number: 3, name: "reason", identity: 4)])

    let removed = try second.findings(after: [first])
    #expect(removed.map(\.rule) == [.fieldRemoved])
    #expect(removed.first?.message.contains("'purpose' (3) of 'Claim'") == true)

    let reused = try third.findings(after: [first, second])
    #expect(reused.map(\.rule) == [.numberReused])
    #expect(reused.first?.message.contains("'reason' has its number now") == true)

    let reserved = StructRelease(fields: StructRelease.kept, reserved: [3])
    #expect(try reserved.findings(after: [first]).isEmpty)
    let late = StructRelease(fields: third.fields, reserved: [])
    #expect(Set(try late.findings(after: [first, reserved]).map(\.rule)) == [.numberReused])
    #expect(try late.findings(after: [reserved]).map(\.rule) == [.numberReused])
  }

  private static let parts = 4

  /// A release without a finding reads the value of no other field.
  @Test(arguments: 0..<parts) func noValueIsReadAsThatOfAnotherField(part: Int) throws {
    let count = Sweep.count(quick: 40, full: 2_000) / Self.parts
    var (refused, readings) = (0, 0)
    for number in 0..<count {
      let seed = Sweep.seed &* 1_000_003 &+ UInt64(part * count + number)
      var random = SeededRandom(seed: seed)
      var releases = [StructRelease.first(&random)]
      for _ in 0..<6 {
        var next = releases[releases.endIndex - 1]
        next.change(&random, releases)
        guard try next.findings(after: releases).isEmpty else {
          refused += next.misreads(releases) ? 1 : 0
          continue
        }
        readings += releases.count
        #expect(!next.misreads(releases), "seed \(seed): \(next) after \(releases)")
        releases.append(next)
      }
    }
    // Without the findings there would be such values.
    #expect(refused > 0)
    Sweep.report("histories of structs, part \(part)", "\(count) histories, \(readings) readings, \(refused) refused")
  }
}

/// The struct of one release.
private struct StructRelease {
  struct Field {
    var number: Int
    var name: String
    /// The meaning of the value, which a rename does not change.
    var identity: Int
  }

  static let kept = [Field(number: 1, name: "key", identity: 1), Field(number: 2, name: "value", identity: 2)]

  var fields: [Field]
  var reserved: Set<Int> = []

  static func first(_ random: inout SeededRandom) -> StructRelease {
    let added = (3...Int.random(in: 3...5, using: &random)).map { Field(number: $0, name: "f\($0)", identity: $0) }
    return StructRelease(fields: kept + added)
  }

  /// Removes, renames, adds or gives back a field, with a reservation or without.
  mutating func change(_ random: inout SeededRandom, _ earlier: [StructRelease]) {
    let candidates = fields.indices.dropFirst(2)
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1:
      guard let index = candidates.randomElement(using: &random) else { return }
      let removed = fields.remove(at: index)
      if Int.random(in: 0..<4, using: &random) > 0 { reserved.insert(removed.number) }
    case 2:
      guard let index = candidates.randomElement(using: &random) else { return }
      fields[index].name = "r\(Int.random(in: 0..<1_000_000, using: &random))"
    case 3:
      // A field of an earlier release, as it was.
      let gone = earlier.flatMap(\.fields).filter { old in !fields.contains { $0.number == old.number } }
      guard let field = gone.randomElement(using: &random) else { return }
      fields.append(field)
      if Bool.random(using: &random) { reserved.remove(field.number) }
    default:
      let number = Int.random(in: 3...8, using: &random)
      guard !fields.contains(where: { $0.number == number }) else { return }
      let identity = Int.random(in: 1_000..<1_000_000, using: &random)
      fields.append(Field(number: number, name: "n\(identity)", identity: identity))
      if Bool.random(using: &random) { reserved.remove(number) }
    }
    // The rules of one catalog do not allow both.
    reserved.subtract(fields.map(\.number))
  }

  /// Returns true if the release reads a value that an earlier one stored as that of another field.
  func misreads(_ earlier: [StructRelease]) -> Bool {
    fields.contains { field in
      earlier.contains { $0.fields.contains { $0.number == field.number && $0.identity != field.identity } }
    }
  }

  func findings(after releases: [StructRelease]) throws -> [Finding] {
    let baselines = try releases.enumerated().map { index, release in
      Baseline(state: try release.catalog.release("\(index + 1).0"))
    }
    return ReleaseComparison(today: catalog.state).findings(against: baselines)
  }

  private var catalog: RecordCatalog {
    RecordCatalog().with { catalog in
      catalog.types[1].form = .structure(
        fields.sorted { $0.number < $1.number }.map { field in
          .init(
            name: field.name, type: .optional(.scalar(.string)), defaultValue: nil, description: nil,
            number: field.number)
        })
      if !reserved.isEmpty {
        catalog.types[1].reserved = [.init(numbers: reserved.sorted(), names: [], deletesValues: false)]
      }
    }
  }
}
