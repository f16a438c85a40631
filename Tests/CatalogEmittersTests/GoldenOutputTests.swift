import CatalogEmitters
import CatalogModel
import Foundation
import TestSupport
import Testing

/// Catalogs in YAML to the files that they become, byte for byte.
///
/// `LOCALDATA_RECORD=1` writes what is wanted anew, and fails.
struct GoldenOutputTests {
  @Test(arguments: try GoldenCase.all)
  func becomes(_ golden: GoldenCase) throws {
    let files = CatalogEmitter.emit(try golden.resolve())
    if GoldenFolder.isRecording {
      try record(files, golden)
      Issue.record("recorded \(golden.name)")
      return
    }
    let wanted = try golden.wanted()
    #expect(files.map(\.path).sorted() == wanted.keys.sorted())
    for file in files {
      let text = String(decoding: file.bytes, as: UTF8.self)
      let difference = firstDifference(text, wanted[file.path] ?? "")
      #expect(difference == nil, "\(file.path)")
    }
  }

  @Test(arguments: try GoldenCase.all)
  func isTheSameEachTime(_ golden: GoldenCase) throws {
    let catalogs = try golden.resolve()
    #expect(CatalogEmitter.emit(catalogs) == CatalogEmitter.emit(try golden.resolve()))
    #expect(CatalogEmitter.emit(catalogs) == CatalogEmitter.emit(catalogs.reversed()))
    for format in AuditFormat.allCases {
      #expect(format.render(catalogs) == format.render(try golden.resolve()))
    }
  }

  @Test func aCatalogIsNamedByItsFileAlone() throws {
    var catalog = Samples.catalog(keys: [Samples.key("theme")])
    let files = CatalogEmitter.emit([catalog])
    catalog.path = "/home/somebody/app/Catalogs/Sample.yaml"
    #expect(CatalogEmitter.emit([catalog]) == files)
  }

  private func record(_ files: [GeneratedFile], _ golden: GoldenCase) throws {
    if FileManager.default.fileExists(atPath: golden.want.path) { try FileManager.default.removeItem(at: golden.want) }
    for file in files {
      let target = golden.want.appendingPathComponent(file.path)
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.bytes).write(to: target)
    }
  }

  /// The first line that differs, with its number.
  private func firstDifference(_ text: String, _ wanted: String) -> String? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let wantedLines = wanted.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, pair) in zip(lines, wantedLines).enumerated() where pair.0 != pair.1 {
      return "line \(index + 1): \(pair.0)\n  wanted: \(pair.1)"
    }
    return lines.count == wantedLines.count ? nil : "\(lines.count) lines, wanted \(wantedLines.count)"
  }
}
