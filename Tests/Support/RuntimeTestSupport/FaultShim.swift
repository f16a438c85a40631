#if os(Linux)
  import Foundation
  import TestSupport

  /// The library that is loaded before libc into a probe and fails, cuts short or ends its file calls.
  package struct FaultShim {
    package static var isAvailable: Bool { PreloadedLibrary.isAvailable }

    /// A call that is not made, or not after the calls before it.
    package struct NotInOrder: Error {
      package var call: Call
      package var calls: [Call]
    }

    private let library: String
    /// A part of the path of every call that counts.
    package let prefix: String

    package init(in fixture: StoreFixture) throws {
      library = try PreloadedLibrary.faultio.path
      prefix = fixture.folder.lastPathComponent + "/store"
    }

    /// The environment of a probe that does `action` at its file call of this number.
    package func environment(_ action: String, at number: Int = 0) -> [String: String] {
      ["LD_PRELOAD": library, "FIO_PREFIX": prefix, "FIO_ACT": action, "FIO_AT": String(number)]
    }

    /// The environment of a probe that makes a copy of itself for each action that it is asked for.
    /// Its libraries are bound before: the copies need not do that again.
    package var server: [String: String] { environment("serve").merging(["LD_BIND_NOW": "1"]) { $1 } }

    /// A file call that was listed.
    package struct Call: Equatable, CustomStringConvertible {
      package var name: String
      package var path: String
      /// The second path of a rename or a link.
      package var newPath: String?
      /// A Boolean value that indicates whether a removal has not found its file.
      package var isAbsent = false

      package init(name: String, path: String, newPath: String? = nil) {
        (self.name, self.path, self.newPath) = (name, path, newPath)
      }

      package var description: String { name + " " + path + (newPath.map { " to " + $0 } ?? "") }

      /// A Boolean value that indicates whether the call changes a file or a folder, or makes a change durable.
      package var isChange: Bool {
        ["write", "sync", "rename", "link", "truncate", "allocate", "mkdir", "chmod"].contains { name.contains($0) }
      }
    }

    /// The calls in what a probe printed under `list`, their paths below the counted folder.
    package func calls(in output: String) -> [Call] {
      var calls: [Call] = []
      for line in output.split(separator: "\n") {
        if line.hasPrefix("FIO> "), !calls.isEmpty { calls[calls.count - 1].newPath = below(String(line.dropFirst(5))) }
        if line == "FIO! absent", !calls.isEmpty { calls[calls.count - 1].isAbsent = true }
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        guard words.count == 4, words[0] == "FIO" else { continue }
        calls.append(Call(name: words[2], path: below(words[3])))
      }
      return calls
    }

    private func below(_ path: String) -> String {
      path.range(of: prefix).map { String(path[$0.upperBound...]) } ?? path
    }
  }

  extension ArraySlice<FaultShim.Call> {
    /// Requires calls in a given order, with any calls between them. Returns the calls after the last of them.
    ///
    /// A `sync` is either of its names.
    package func require(inOrder wanted: [FaultShim.Call]) throws -> ArraySlice {
      var rest = self
      for call in wanted {
        let names = call.name == "sync" ? ["fsync", "fdatasync"] : [call.name]
        let index = rest.firstIndex { names.contains($0.name) && $0.path == call.path }
        guard let index else { throw FaultShim.NotInOrder(call: call, calls: Array(self)) }
        rest = rest[(index + 1)...]
      }
      return rest
    }
  }
#endif
