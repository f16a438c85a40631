#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Catalogs that ask for as much work as they can: each run ends within its limits, for the expected reason.
  @Suite struct HostileShapesTests {
    private static let script = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Benchmarks/hostile").path
    private static let keys = Sweep.count(quick: 100, full: 2_000)

    @Test func everyShapeEnds() throws {
      let tool = BuiltProducts.executable("local-data").path
      let end = try ChildProcess.run("/usr/bin/env", ["python3", Self.script, "--small=\(Self.keys)", tool])
      Sweep.report("catalogs that ask for much work", "14 shapes, up to \(Self.keys) keys")
      #expect(end.code == 0, "\(end.output)")
      #expect(end.output.split(separator: "\n").count == 42, "\(end.output)")
    }

    /// The script notices a program that ends otherwise, and one that prints too much.
    @Test(arguments: [
      "exit 0", "exit 1", "kill -SEGV $$", "yes 'Catalogs/Test.yaml:1:1: error: a [b]' | head -n 1001",
    ])
    func aShapeThatEndsOtherwiseIsNoticed(body: String) throws {
      let folder = try ScratchFolder()
      // The shell writes the program: a process that another test starts meanwhile could inherit a file that is open here.
      let end = try ChildProcess.run(
        "/bin/sh",
        [
          "-c", #"printf '#!/bin/sh\n%s\n' "$1" >"$2" && chmod +x "$2" && exec python3 "$0" --small "$2""#, Self.script,
          body, folder.url.appending(path: "program").path,
        ])
      #expect(end.code == 1)
      #expect(end.output.contains("expected "))
      #expect(end.output.contains("1001 findings are printed") == body.contains("1001"))
    }
  }
#endif
