import LocalDataModel
import Foundation
import LocalDataDocuments
import LocalDataEmission
import TestSupport
import Testing

/// The stored form of records in the language of protobuf.
struct ProtoTests {
  static let compiler = ["/usr/bin/protoc", "/usr/local/bin/protoc"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  #if os(Linux) || os(macOS)
    /// The part of protobuf's own file that the others need. Debian has it in another package than the compiler.
    private static let timestamp = """
      syntax = "proto3";
      package google.protobuf;
      message Timestamp {
        int64 seconds = 1;
        int32 nanos = 2;
      }

      """

    /// Compiles the files of catalogs in a folder, and returns the path of the last compiled one.
    static func compile(_ catalogs: [ResolvedCatalog], in folder: URL) throws -> String {
      let shared = folder.appendingPathComponent("google/protobuf")
      try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)
      try Data(timestamp.utf8).write(to: shared.appendingPathComponent("timestamp.proto"))
      let compiled = folder.appendingPathComponent("compiled").path
      let files = ProtoEmitter.emit(catalogs)
      for file in files {
        try Data(file.parts.joined()).write(to: folder.appendingPathComponent(file.path))
        let end = try ChildProcess.run(
          try #require(compiler),
          [
            "--fatal_warnings", "--include_imports", "--descriptor_set_out=\(compiled)",
            "--proto_path=\(folder.path)", folder.appendingPathComponent(file.path).path,
          ])
        try #require(end == ChildProcess.End(code: 0, output: ""), "\(file.path)")
      }
      return compiled
    }

    /// Skipped without the package protobuf-compiler.
    @Test(.enabled(if: compiler != nil, "needs protoc"), arguments: RecordSamples.cases.map(\.catalogs))
    func theCompilerAccepts(_ catalogs: [ResolvedCatalog]) throws {
      let folder = try ScratchFolder()
      #expect(!ProtoEmitter.emit(catalogs).isEmpty)
      let compiled = try Self.compile(catalogs, in: folder.url)
      #expect(FileManager.default.fileExists(atPath: compiled))
    }
  #endif

  @Test func aDescriptionCannotEndItsComment() {
    var catalog = RecordSamples.wallet
    catalog.records[0].description = "One.\nimport \"x\";\u{2028}enum E {}\u{0}"
    let text = String(decoding: ProtoEmitter.emit([catalog])[0].parts.joined(), as: UTF8.self)
    #expect(text.contains("// One.\n// import \"x\";\n// enum E {} \n"))
  }
}
