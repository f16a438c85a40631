import Foundation
import RuntimeTestSupport
import Testing

@_spi(Generated) @testable import LocalData
@testable import LocalDataStores

/// A property list that ends or stops a process that reads it without limits.
struct HostileList: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let bytes: Data

  init(_ description: String, _ bytes: Data) {
    testDescription = description
    self.bytes = bytes
  }

  /// A binary list with offsets and references of four bytes. The first object contains the others.
  static func binary(
    _ objects: [[UInt8]], count: Int? = nil, first: Int = 0, sizes: [UInt8] = [4, 4], table: Int? = nil
  ) -> Data {
    var bytes = [UInt8]("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += number(bytes.count)
      bytes += object
    }
    let start = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0] + sizes
    for value in [count ?? objects.count, first, table ?? start] { bytes += number(value, size: 8) }
    return Data(bytes)
  }

  private static func number(_ value: Int, size: Int = 4) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// A list of up to 14 references.
  static func list(_ references: Int...) -> [UInt8] {
    [0xA0 | UInt8(references.count)] + references.flatMap { number($0) }
  }

  /// A dictionary of one name.
  static func dictionary(_ name: Int, _ value: Int) -> [UInt8] { [0xD1] + number(name) + number(value) }

  static let five: [UInt8] = [0x10, 5]
  static let text: [UInt8] = [0x51, 0x61]

  static func xml(_ beginning: String, _ end: String, times count: Int = 10_000, head: String = "") -> Data {
    let text = String(repeating: beginning, count: count) + String(repeating: end, count: count)
    return Data((head + "<plist version=\"1.0\">" + text + "</plist>\n").utf8)
  }

  /// A list of references to one text.
  static func repeated(_ count: Int, _ length: Int) -> Data {
    let list = [0xAF, 0x12] + number(count) + (0..<count).flatMap { _ in number(1) }
    return binary([list, [0x5F, 0x12] + number(length) + [UInt8](repeating: 0x61, count: length)])
  }

  static let binaryCases = [
    HostileList("a long text 300 times", repeated(300, 400_000)),
    HostileList("10,000 lists in each other", binary((0..<10_000).map { list($0 + 1) } + [five])),
    HostileList(
      "10,000 dictionaries in each other",
      binary([text] + (0..<10_000).map { dictionary(0, $0 + 2) } + [five], first: 1)),
    HostileList("129 levels", binary((0..<129).map { list($0 + 1) } + [five])),
    HostileList("a list that contains itself", binary([list(0)])),
    HostileList("a list that contains itself twice", binary([list(0, 0)])),
    HostileList("two lists that contain each other", binary([list(1), list(0)])),
    HostileList("a dictionary that contains itself", binary([dictionary(1, 0), text])),
    HostileList("a billion elements in 30 lists", binary((0..<30).map { list($0 + 1, $0 + 1) } + [five])),
    HostileList("a list of 2^62 elements", binary([[0xAF, 0x13, 0x40] + [UInt8](repeating: 0, count: 7)])),
    HostileList("a dictionary of 2^62 names", binary([[0xDF, 0x13, 0x40] + [UInt8](repeating: 0, count: 7)])),
    HostileList("a list whose number has 32,768 bytes", binary([[0xAF, 0x1F]])),
    HostileList("a list without its elements", binary([[0xA9]])),
    HostileList("a reference to no object", binary([list(7)])),
    HostileList("a first object that is none", binary([list(1), five], first: 2)),
    HostileList("2^62 objects", binary([list(1), five], count: 1 << 62)),
    HostileList("a table behind the end", binary([list(1), five], table: 1 << 40)),
    HostileList("offsets without a size", binary([list(1), five], sizes: [0, 4])),
    HostileList("offsets of 255 bytes", binary([list(1), five], sizes: [255, 4])),
    HostileList("references without a size", binary([list(1), five], sizes: [4, 0])),
    HostileList("no list", Data("bplist00".utf8)),
  ]

  static let textCases = [
    HostileList("10,000 lists in XML", xml("<array>", "</array>")),
    HostileList("10,000 dictionaries in XML", xml("<dict><key>a</key>", "</dict>")),
    HostileList("10,000 roots in XML", xml("<plist>", "</plist>")),
    HostileList("129 levels in XML", xml("<array>", "</array>", times: 129)),
    HostileList("names without text", xml("<dict><key/></key>", "</dict>")),
    HostileList("ends in comments", xml("<array><!-- > </array> -->", "</array>")),
    HostileList("ends in attributes", xml("<array </array>", "</array>")),
    HostileList("ends in instructions", xml("<array><?x > </array> ?>", "</array>")),
    HostileList("ends in texts", xml("<array><string><![CDATA[></array>]]></string>", "</array>")),
    HostileList("a beginning that looks empty", xml("<array a=\"/\" >", "</array>")),
    HostileList("a comment before the lists", xml("<array>", "</array>", head: "<!-- > --> ")),
    HostileList(
      "another encoding",
      xml("+ADw-array+AD4-", "+ADw-/array+AD4-", head: "<?xml version=\"1.0\" encoding=\"UTF-7\"?>")),
    HostileList("UTF-16", Data([0xFF, 0xFE]) + xml("<array>", "</array>").flatMap { [$0, 0] }),
    HostileList("10,000 lists as NeXT wrote them", Data(String(repeating: "(", count: 10_000).utf8)),
    HostileList("no bytes", Data()),
  ]
}

@Suite struct HostilePropertyListTests {
  private let fixture: StoreFixture
  private let router: StorageRouter
  private let list = StorageKey<AnyCodable?>(
    name: "list", domain: .fileSystem(directory: .documents), security: .none, serializer: .propertyList,
    owner: "Tests", description: "A property list.")

  init() throws {
    fixture = try StoreFixture()
    router = StorageRouter(
      configuration: StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: fixture.folder)))
  }

  /// Puts bytes in the place of a value.
  private func plant(_ bytes: Data) async throws {
    try await router.set([1, 2], for: list)
    try bytes.write(to: URL(fileURLWithPath: fixture.path("data/documents/list")))
  }

  @Test(.findsHangs, arguments: HostileList.binaryCases + HostileList.textCases)
  func hostileListCannotBeDecoded(_ hostile: HostileList) async throws {
    try await plant(hostile.bytes)
    let part = StorageKey<AnyCodable?>([.name("a")], of: list)
    for key in [list, part] {
      await #expect(throws: StorageError(.cannotDecode, .init(key: "list", domain: .fileSystem))) {
        try await router.get(key)
      }
    }
    #expect(throws: StorageProblem.corrupted) { try PropertyListObject.object(of: hostile.bytes) }
    #expect(PropertyListObject.values(in: hostile.bytes) == nil)
  }

  /// The lists of other programs may be larger than those of this test and contain one list several times.
  @Test func ordinaryListsAreRead() async throws {
    typealias List = HostileList
    // A list of one element contains the value: 127 levels remain.
    let deep = (0..<127).reduce(AnyCodable.integer(5)) { inner, _ in .array([inner]) }
    let numbers = (0..<200_000).map { AnyCodable.integer($0 % 7) }
    let shared = AnyCodable.array([[5], [5]])
    let object: [String: Any] = ["a": [1, 2], "<b>": "a > b", "c": [String](), "d": [String: Int]()]
    let lists: [(Data, AnyCodable)] = [
      (List.binary((0..<128).map { List.list($0 + 1) } + [List.five]), deep),
      (List.binary([List.list(1, 1), List.list(2), List.five]), shared),
      (try data(numbers.map(\.number), .binary), .array(numbers)),
      (try data(object, .xml), ["a": [1, 2], "<b>": "a > b", "c": [], "d": [:]]),
      // The outer list contains the value.
      (List.xml("<array>", "</array>", times: 100), nested(99)),
      (List.xml("<array>", "</array>", times: 2, head: "<?xml version='1.0' encoding='utf-8'?>\n"), nested(1)),
      (List.xml("<array><!-- <a> -->", "</array>", times: 2, head: "<?xml version=\"1.0\"?><!-- <b> -->"), nested(1)),
      (Data([0xEF, 0xBB, 0xBF]) + List.xml("<array>", "</array>", times: 2), nested(1)),
    ]
    for (bytes, value) in lists {
      try await plant(bytes)
      #expect(try await router.get(list) == value)
    }
  }

  private func data(_ object: Any, _ format: PropertyListSerialization.PropertyListFormat) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0)
  }

  private func nested(_ count: Int) -> AnyCodable {
    (1..<count).reduce(AnyCodable.array([])) { inner, _ in .array([inner]) }
  }

  @Test func tooManyLevelsAreNotWritten() async throws {
    try await router.set(nested(120), for: list)
    await #expect(throws: StorageError(.cannotEncode, .init(key: "list", domain: .fileSystem))) {
      try await router.set(nested(130), for: list)
    }
    #expect(try await router.get(list) == nested(120))
  }
}

extension AnyCodable {
  fileprivate var number: Int64 { if case .integer(let number) = self { number } else { 0 } }
}
