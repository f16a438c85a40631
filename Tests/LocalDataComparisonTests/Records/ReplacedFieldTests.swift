import LocalDataComparison
import LocalDataModel
import LocalDataVocabulary
import Testing

/// Fields that are made from those of releases.
@Suite struct ReplacedFieldTests {
  private static let claims: ValueType = .list(.declared("Claim"))

  /// The catalog in which the claims have the number 13, and are made from a list of names.
  private static let second = RecordCatalog().with { $0.replaceClaims(13, [make((4, claims))]) }

  static func make(_ sources: (Int, ValueType)..., isEncrypted: Bool = false) -> ResolvedRecord.Transform {
    .init(
      sources: sources.map { .init(number: $0.0, type: $0.1, isEncrypted: isEncrypted, isInSeconds: false) },
      function: SwiftName("Claims.upgraded"))
  }

  @Test func aFieldMayBeMadeFromAReleasedOne() throws {
    #expect(RecordFindingTests.lines(Self.second, [try RecordCatalog().release("1.0")]) == [])
    // The release before is refused by each file of the new one, and no release follows it.
    #expect(RecordFindingTests.lines(Self.second, [try Self.second.release("2.0")]) == [])
  }

  @Test func aSkippedReleaseIsReadToo() throws {
    let releases = [try RecordCatalog().release("1.0"), try Self.second.release("2.0")]
    let whole = Self.second.with {
      $0.replaceClaims(14, [Self.make((13, .scalar(.int))), Self.make((4, Self.claims))], reserved: [13])
    }
    #expect(RecordFindingTests.lines(whole, releases) == [])
    let short = whole.with { $0.history["claims"].transforms.removeLast() }
    let expected = """
      24 [released-source-removed] release 1.0 stored 'claims' (4) of 'History', and no `from` reads it any more; add \
      `{number: 4, type: "[Claim]", transform: ClaimsMigration.apply}` to the end of `from` of 'claims'
      """
    let found = RecordFindingTests.lines(short, releases)
    #expect(found.contains(expected), "\(found)")
    // Without the release between them, nothing says where the first field went.
    #expect(!RecordFindingTests.lines(short, [releases[0]]).joined().contains("[released-source-removed]"))
  }

  @Test(arguments: ReplacedFields.cases)
  func findings(_ sample: RecordFindingTests.Case) throws {
    let found = RecordFindingTests.lines(RecordCatalog().with(sample.change), [try RecordCatalog().release("1.0")])
    #expect(found == sample.findings)
  }

  @Test func newUniquenessMayKeepARow() throws {
    let today = RecordCatalog().with { ($0.history.unique, $0.history.existing) = ([[6]], [[6]: .keepLast]) }
    #expect(RecordFindingTests.lines(today, [try RecordCatalog().release("1.0")]) == [])
    #expect(RecordFindingTests.lines(today, [try today.release("1.0")]) == [])
  }

  @Test func aNewReferenceMayDeleteOrphans() throws {
    let released = RecordCatalog().with { $0.history["credentialID"].reference = nil }
    #expect(RecordFindingTests.lines(RecordCatalog(), [try released.release("1.0")]) == [])
  }
}

/// Fields that cannot be made from those of the release, and the findings about them.
enum ReplacedFields {
  typealias Case = RecordFindingTests.Case

  static let cases: [Case] = [
    Case(
      "OtherType",
      """
      24 [released-field-type-changed] release 1.0 stored 'claims' (4) of 'History' as '[Claim]', and 'claims' is made \
      from it as '[String]'; write `{number: 4, type: "[Claim]", transform: ClaimsMigration.apply}` in `from` of 'claims'
      """
    ) { $0.replaceClaims(13, [ReplacedFieldTests.make((4, .list(.scalar(.string))))]) },
    Case(
      "OtherEncryption",
      """
      24 [released-field-type-changed] release 1.0 stored 'claims' (4) of 'History' as '[Claim]', and 'claims' is made \
      from it as '[Claim]', encrypted; write `{number: 4, type: "[Claim]", transform: ClaimsMigration.apply}` in `from` \
      of 'claims'
      """
    ) { $0.replaceClaims(13, [ReplacedFieldTests.make((4, .list(.declared("Claim"))), isEncrypted: true)]) },
    Case(
      "MissingValues",
      """
      24 [released-field-type-changed] release 1.0 stored 'logo' (5) of 'History' as 'URL?', and 'claims' is made from \
      it as 'URL'; write `{number: 5, type: URL?, transform: ClaimsMigration.apply}` in `from` of 'claims'
      """
    ) {
      $0.history.fields.removeAll { $0.name == "logo" }
      $0.replaceClaims(13, [ReplacedFieldTests.make((5, .scalar(.url)))], reserved: [5])
    },
    Case(
      "NarrowerType",
      """
      24 [released-field-type-changed] release 1.0 stored 'count' (3) of 'History' as 'Int32', and 'claims' is made \
      from it as 'Int8'; write `{number: 3, type: Int32, transform: ClaimsMigration.apply}` in `from` of 'claims'
      """
    ) {
      $0.history.fields.removeAll { $0.name == "count" }
      $0.replaceClaims(13, [ReplacedFieldTests.make((3, .scalar(.int8)))], reserved: [3])
    },
    Case(
      "PartOfTheFields",
      """
      24 [released-source-removed] release 1.0 stored only some of the fields of 'History' that 'claims' (13) is made \
      from; add an entry with those to `from` of 'claims', or write a '?' after the types of the others
      """
    ) {
      $0.replaceClaims(
        13, [ReplacedFieldTests.make((4, .list(.declared("Claim"))), (11, .scalar(.int)))], reserved: [11])
    },
    Case(
      "ReleasedBefore",
      """
      23 [released-source-removed] release 1.0 stored 'count' (3) of 'History', which is made from earlier fields now; \
      write `number: 13` at 'count', and write `reserved: [{numbers: [12], names: [old], cleanup: delete}, {numbers: \
      [4]}, {numbers: [3]}]` in 'History'; or remove `from`
      """
    ) {
      $0.history.fields.removeAll { $0.name == "claims" }
      $0.history.reserved.append(.init(numbers: [4], names: [], deletesValues: false))
      $0.history["count"].transforms = [ReplacedFieldTests.make((4, .list(.declared("Claim"))))]
    },
    Case(
      "NotFromTheRelease",
      """
      24 [released-field-required] release 1.0 stored rows of 'History' without 'claims' (13), which has neither a \
      default for them nor a '?'; write `type: Int?`, a default, or `from`
      """
    ) { $0.replaceClaims(13, [ReplacedFieldTests.make((11, .scalar(.int)))], reserved: [11]) },
    Case(
      "NoLongerEncrypted",
      """
      13 [released-protection-weaker] release 1.0 encrypted 'secret' of 'Credential', and it is not encrypted now; \
      write `encrypted: true`; if the change is meant, add `allow: [{rule: released-protection-weaker, reason: Say \
      why.}]` to 'Credential'
      """
    ) {
      $0.credential["secret"].number = 13
      $0.credential["secret"].encryption = .none
      $0.credential["secret"].transforms = [ReplacedFieldTests.make((3, .scalar(.string)), isEncrypted: true)]
      $0.credential["secret"].name = "token"
      $0.credential.reserved = [.init(numbers: [3], names: [], deletesValues: true)]
    },
  ]
}

extension RecordCatalog {
  /// Gives the claims another number and the type Int, and reserves the former number and others.
  fileprivate mutating func replaceClaims(
    _ number: Int, _ transforms: [ResolvedRecord.Transform], reserved: [Int] = []
  ) {
    if !history.reserved.contains(where: { $0.numbers.contains(4) }) {
      history.reserved.append(.init(numbers: [4], names: [], deletesValues: false))
    }
    if !reserved.isEmpty { history.reserved.append(.init(numbers: reserved, names: [], deletesValues: false)) }
    history["claims"].transforms = transforms
    history["claims"].type = .scalar(.int)
    history["claims"].number = number
  }
}
