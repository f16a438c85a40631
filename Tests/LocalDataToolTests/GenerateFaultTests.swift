#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  extension PreloadedLibrary {
    fileprivate func generate(in tool: Tool, _ variables: String = "", _ arguments: String = "") throws
      -> ChildProcess.End
    {
      try tool.shell("LD_PRELOAD='\(path)' \(variables) \"$TOOL\" generate \(arguments)")
    }
  }

  /// `generate` on disks that fail, in processes that are killed, and on disks that ignore case.
  @Suite(.enabled(if: PreloadedLibrary.isAvailable)) struct GenerateFaultTests {
    /// The texts of the outputs, without what a killed run left beside them.
    private func outputs(_ tool: Tool) throws -> [String: String] {
      let names = tool.files(in: "Generated").filter { !$0.hasSuffix(".tmp") && !$0.hasSuffix(".manifest") }
      return Dictionary(uniqueKeysWithValues: try names.map { ($0, try tool.read("Generated/\($0)")) })
    }

    /// At each file call of a run that writes, replaces and removes files, the run ends. Each file has its old bytes or
    /// its new ones, and the next run finishes the work.
    @Test(arguments: ["kill", "enospc", "shortkill"])
    func eachFileCallCanBeTheLast(action: String) throws {
      let tool = try Tool()
      let shim = try PreloadedLibrary.faultio
      for name in ["A", "B"] { try tool.write("Catalogs/\(name).yaml", Tool.catalog(name, keys: ["key\(name)"])) }
      try tool.run("generate")
      let old = try outputs(tool)
      try tool.write("Catalogs/A.yaml", Tool.catalog("A", keys: ["changed"]))
      try tool.write("Catalogs/C.yaml", Tool.catalog("C", keys: ["new"]))
      try tool.remove("Catalogs/B.yaml")
      #expect(try tool.shell("cp -R Generated before").code == 0)
      let count = try shim.generate(in: tool, "FIO_PREFIX=Generated FIO_ACT=list").output
        .split(separator: "\n").count { $0.hasPrefix("FIO ") }
      let new = try outputs(tool)
      try #require(count > 30 && new.count == 7 && old != new)

      let numbers = Sweep.sample(Array(1...count), quick: 3)
      Sweep.report("generate, \(action)", "\(numbers.count) of \(count) file calls")
      for number in numbers {
        #expect(try tool.shell("rm -rf Generated && cp -R before Generated").code == 0)
        _ = try shim.generate(in: tool, "FIO_PREFIX=Generated FIO_ACT=\(action) FIO_AT=\(number)")
        for (name, text) in try outputs(tool) {
          #expect(text == old[name] || text == new[name], "\(name) after call \(number)")
        }
        #expect(try tool.run("generate", "--quiet").errors == "")
        #expect(try outputs(tool) == new, "after call \(number)")
        #expect(!tool.files(in: "Generated").contains { $0.hasSuffix(".tmp") }, "after call \(number)")
      }
    }

    /// On such a disk, the old name of an output is also that of the new file.
    @Test func aNewSpellingOfACatalogKeepsItsOutputs() throws {
      let tool = try Tool()
      let shim = try PreloadedLibrary.foldcase
      try tool.write("Catalogs/account.yaml", Tool.catalog("Account"))
      #expect(try shim.generate(in: tool).code == 0)
      #expect(try tool.shell("mv Catalogs/account.yaml Catalogs/Account.yaml").code == 0)
      let end = try shim.generate(in: tool)
      #expect(end.code == 0, "\(end.output)")
      #expect(
        try outputs(tool).keys.sorted() == [
          "Account.keys.swift", "Audit/Account.json", "Audit/Account.md", "Audit/audit.html",
        ])
      #expect(try tool.read("Generated/Account.keys.swift").contains("from Account.yaml"))
      #expect(try shim.generate(in: tool, "", "--check") == ChildProcess.End(code: 0, output: ""))
    }
  }
#endif
