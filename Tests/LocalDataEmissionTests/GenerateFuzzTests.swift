import LocalDataDocuments
import LocalDataEmission
import LocalDataModel
import LocalDataSyntax
import Foundation
import TestSupport
import Testing

/// Changed catalogs through the whole generator, from bytes to files.
///
/// Each input follows from its number. The first number follows from the seed; a longer run begins elsewhere each time:
///
///     LOCALDATA_FUZZ_SECONDS=600 swift test --filter GenerateFuzzTests
///
/// The input that is being tried is in the file `local-data-fuzz-<process>.yaml` of the temporary folder, where it is
/// left if the process ends.
struct GenerateFuzzTests {
  private static let seconds = ProcessInfo.processInfo.environment["LOCALDATA_FUZZ_SECONDS"].flatMap(Double.init)
  private static let inputs = UInt64(Sweep.count(quick: 200, full: 2_000))

  /// The catalogs that are changed: those of all golden cases.
  private static func mutator() throws -> CatalogMutator {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let seeds = try ["LocalDataEmissionTests", "LocalDataModelTests"].flatMap { target in
      try GoldenFolder.cases(beside: tests.appending(path: "\(target)/Support/Cases.swift").path)
        .flatMap(GoldenFolder.catalogs).map(\.bytes)
    }
    let valid = seeds.filter { bytes in
      CatalogReader.read(SourceFile(path: "Seed.yaml", bytes: bytes)).tree
        .map { !CatalogResolver.resolve([$0]).catalogs.isEmpty } ?? false
    }
    return CatalogMutator(seeds: seeds, valid: valid)
  }

  @Test func everyInputIsHandled() throws {
    let mutator = try Self.mutator()
    try #require(mutator.seeds.count > 50 && mutator.valid.count > 10)
    let process = ProcessInfo.processInfo.processIdentifier
    let file = FileManager.default.temporaryDirectory.appending(path: "local-data-fuzz-\(process).yaml")
    let start = ContinuousClock.now
    let first = (Self.seconds == nil ? Sweep.seed : UInt64(Date().timeIntervalSince1970)) << 20
    var number = first
    var generated = 0
    while Self.seconds.map({ ContinuousClock.now - start < .seconds($0) }) ?? (number - first < Self.inputs) {
      let bytes = mutator.input(number)
      try Data(bytes).write(to: file)
      if try handle(bytes, number) { generated += 1 }
      number += 1
    }
    try FileManager.default.removeItem(at: file)
    Sweep.report("changed catalogs", "\(number - first) inputs from number \(first), \(generated) became files")
    #expect(UInt64(generated) * 8 > number - first, "most inputs are refused: they test the emitters too rarely")
  }

  /// Returns true if the input is a valid catalog, and then checks its outputs.
  private func handle(_ bytes: [UInt8], _ number: UInt64) throws -> Bool {
    let (tree, reading) = CatalogReader.read(SourceFile(path: "Fuzz.yaml", bytes: bytes))
    guard let tree else {
      #expect(reading.contains { $0.severity == .error }, "input \(number) is refused without an error")
      return false
    }
    let (catalogs, resolving) = CatalogResolver.resolve([tree])
    let report = FindingsReport(reading + resolving, catalogs: 1)
    for format in FindingsFormat.allCases {
      let text = format.render(report)
      if format == .json { _ = try JSONSerialization.jsonObject(with: Data(text.utf8)) }
    }
    if let formatted = CatalogFormatter.format(tree) {
      let again = CatalogReader.read(SourceFile(path: "Fuzz.yaml", bytes: Array(formatted.utf8))).tree
      #expect(again.flatMap(CatalogFormatter.format) == formatted, "input \(number) is not formatted at once")
    }
    guard !catalogs.isEmpty else {
      #expect(resolving.contains { $0.severity == .error }, "input \(number) is refused without an error")
      return false
    }
    guard !reading.contains(where: { $0.severity == .error }) else { return false }
    let files = CatalogEmitter.emit(catalogs) + FixtureSource.emit(catalogs, module: "App").flatMap(\.tests)
    for file in files {
      #expect(String(bytes: file.bytes, encoding: .utf8) != nil, "input \(number): \(file.path) is no text")
      if file.path.hasSuffix(".json") { _ = try JSONSerialization.jsonObject(with: Data(file.bytes)) }
    }
    return true
  }
}

/// Changes catalogs in ways that keep much of their form.
struct CatalogMutator {
  var seeds: [[UInt8]]
  /// The seeds in which nothing is wrong.
  var valid: [[UInt8]]

  private static let words = [
    "{", "}", "[", "]", ": ", ", ", "\n", "\n  ", "#", "\"", "'", "|", ">", "&a", "*a", "!t", "---", "null", "~", "-1",
    "9223372036854775808", "1e999", "\u{0}", "\u{FEFF}", "\u{202E}", "\u{1F600}", "\\u{0}", "keys:", "types:", "type: ",
    "[String: [Int]?]?", "default: ", "parameters: {", "migration: {from: ", "enum: [", "fields: {", "schema: 2\n", "`",
    "name: \"{a}{b}\"", "domain: keychain", "security: {encrypted: {}}", "sync: ", "reserved:", "legacy: true", "*/",
    "\\(",
  ].map { Array($0.utf8) }

  /// Returns the input of a number.
  func input(_ number: UInt64) -> [UInt8] {
    var random = SeededRandom(seed: number)
    // Half of the inputs are near a valid catalog, so that many reach the emitters.
    let isNear = number % 2 == 0
    var bytes = pick(isNear ? valid : seeds, &random)
    for _ in 0..<Int.random(in: 0...3, using: &random) { changeText(&bytes, &random) }
    let count = isNear ? Int.random(in: 0...1, using: &random) : Int.random(in: 1...6, using: &random)
    for _ in 0..<count { change(&bytes, &random) }
    return bytes
  }

  private func pick<Element>(_ elements: [Element], _ random: inout SeededRandom) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  /// Changes a letter of a description, or a digit.
  private func changeText(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    let texts = ["e\u{301}", "\u{200B}", "\u{1F469}\u{200D}\u{1F680}", "ß", "7", "a7", "`", "*/", "\\("]
    let descriptions = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      line.starts(with: Array("description: ".utf8), after: UInt8(ascii: " ")) ? line.endIndex : nil
    }
    let digits = bytes.indices.filter { UInt8(ascii: "1")...UInt8(ascii: "9") ~= bytes[$0] }
    if Bool.random(using: &random), !digits.isEmpty {
      bytes[pick(digits, &random)] = UInt8.random(in: UInt8(ascii: "1")...UInt8(ascii: "9"), using: &random)
    } else if !descriptions.isEmpty {
      let end = pick(descriptions, &random)
      let place = end - Int.random(in: 1...8, using: &random)
      if bytes[place] > UInt8(ascii: "/") {
        bytes.replaceSubrange(place...place, with: Array(pick(texts, &random).utf8))
      }
    }
  }

  private func change(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 0...12, using: &random))
    switch Int.random(in: 0..<8, using: &random) {
    case 0: bytes.replaceSubrange(place..<end, with: [])
    case 1: bytes.replaceSubrange(place..<end, with: pick(Self.words, &random))
    case 2: bytes.insert(contentsOf: pick(Self.words, &random), at: place)
    case 3: if place < bytes.count { bytes[place] = UInt8.random(in: .min ... .max, using: &random) }
    case 4: lines(&bytes, &random) { lines, one, other in lines.insert(lines[other], at: one) }
    case 5: lines(&bytes, &random) { lines, one, other in lines.swapAt(one, other) }
    case 6: lines(&bytes, &random) { lines, one, _ in lines.remove(at: one) }
    default:
      let other = pick(seeds, &random).split(separator: UInt8(ascii: "\n"))
      guard !other.isEmpty else { return }
      let line = pick(other, &random)
      lines(&bytes, &random) { lines, one, _ in lines.insert(line, at: one) }
    }
  }

  private func lines(
    _ bytes: inout [UInt8], _ random: inout SeededRandom, _ body: (inout [ArraySlice<UInt8>], Int, Int) -> Void
  ) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let one = Int.random(in: 0..<lines.count, using: &random)
    let other = Int.random(in: 0..<lines.count, using: &random)
    body(&lines, one, other)
    bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }
}

extension ArraySlice<UInt8> {
  /// Returns a Boolean value that indicates whether the slice begins with `prefix` after any number of `separator`.
  fileprivate func starts(with prefix: [UInt8], after separator: UInt8) -> Bool {
    drop { $0 == separator }.starts(with: prefix)
  }
}
