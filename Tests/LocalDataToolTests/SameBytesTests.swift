import Foundation
import TestSupport
import Testing

/// The outputs depend on the catalogs alone.
@Suite struct SameBytesTests {
  @Test(arguments: [
    "LC_ALL=tr_TR.UTF-8 \"$TOOL\" generate", "LC_ALL=C TZ=Pacific/Kiritimati \"$TOOL\" generate",
    "cd Catalogs && \"$TOOL\" generate A.yaml b.yaml --output ../Generated",
    "\"$TOOL\" generate Catalogs/b.yaml Catalogs/A.yaml", "\"$TOOL\" generate ./Catalogs/../Catalogs",
  ])
  func outputsAreTheSame(line: String) throws {
    func outputs(_ line: String) throws -> [String: String] {
      let tool = try Tool()
      let catalog = Tool.catalog("A", keys: ["index", "title"]).replacingOccurrences(of: "index:", with: "iIndex:")
      try tool.write("Catalogs/A.yaml", catalog)
      try tool.write("Catalogs/b.yaml", Tool.catalog("B", keys: ["other"]))
      let end = try tool.shell(line)
      try #require(end.code == 0, "\(end.output)")
      return try Dictionary(
        uniqueKeysWithValues: tool.files(in: "Generated").map { ($0, try tool.read("Generated/" + $0)) })
    }
    let usual = try outputs("\"$TOOL\" generate")
    #expect(usual.count == 8)
    #expect(try outputs(line) == usual)
  }
}
