import Foundation
import LocalData

/// The requirements for every store, one clause for each.
///
/// ```swift
/// @Test(arguments: ValueStoreContract.clauses) func holds(_ clause: ValueStoreContract.Clause) throws {
///   try clause.check(MyStore(), .preferences(suite: nil))
/// }
/// ```
package enum ValueStoreContract {
  /// One requirement. It is checked with a store whose container is empty.
  package struct Clause: Sendable, CustomStringConvertible {
    package let description: String
    let body: @Sendable (Subject) throws -> Void

    package func check(_ store: any ValueStore, _ container: StorageContainer) throws {
      try body(Subject(store: store, container: container))
    }
  }

  /// The error of a requirement that is not met.
  package struct Violation: Error, CustomStringConvertible {
    package let description: String
  }

  package static let clauses: [Clause] = reading + names + sizes + updates + listings + durability

  private static let reading: [Clause] = [
    Clause(description: "an absent value reads nil and does not exist") { subject in
      try subject.expect(nil, at: "absent")
      try subject.require(try !subject.exists("absent"), "it exists")
    },
    Clause(description: "what was written is read, and exists") { subject in
      try subject.write(Data([1, 2, 3]), "a")
      try subject.expect(Data([1, 2, 3]), at: "a")
      try subject.require(try subject.exists("a"), "it does not exist")
    },
    Clause(description: "a write replaces all of what was there") { subject in
      try subject.write(Data(repeating: 7, count: 10_000), "a")
      try subject.write(Data([1]), "a")
      try subject.expect(Data([1]), at: "a")
    },
    Clause(description: "what was removed is absent, and removing it again is no error") { subject in
      try subject.remove("a")
      try subject.write(Data([1]), "a")
      try subject.remove("a")
      try subject.remove("a")
      try subject.expect(nil, at: "a")
      try subject.require(try !subject.exists("a"), "it exists")
      try subject.write(Data([2]), "a")
      try subject.expect(Data([2]), at: "a")
    },
    Clause(description: "a store that knows when a value was written knows nothing of an absent one") { subject in
      try subject.require(try subject.modification("a") == nil, "it has a time before it is written")
      let start = Date()
      try subject.write(Data([1]), "a")
      // The machine may be busy.
      if let time = try subject.modification("a") {
        try subject.require(abs(time.timeIntervalSince(start)) < 600, "it was written at \(start) instead of \(time)")
      }
      try subject.remove("a")
      try subject.require(try subject.modification("a") == nil, "it has a time after it was removed")
    },
    Clause(description: "one name does not touch another") { subject in
      try subject.write(Data([1]), "a")
      try subject.write(Data([2]), "b")
      try subject.remove("a")
      try subject.expect(Data([2]), at: "b")
    },
  ]

  /// Names that file systems, databases and Unicode can confuse.
  package static let difficultNames = [
    "a", "A", ".", "..", ".hidden", "a.b", "a/b", "../a", "/a", "a%2Fb", "a%2fb", "%", "a b", "a\u{0}b", "a\u{0}", "\n",
    "é", "e\u{301}", "日本語", "🗝️", "a~", "standard.db", "a'; DROP TABLE preference; --", "local-data",
    ".local-data.lock", ".local-data.new",
    String(repeating: "x", count: 200), String(repeating: "x", count: 201), String(repeating: "x", count: 199) + "y",
    String(repeating: "x", count: 200) + "y", String(repeating: "é", count: 200),
    String(repeating: "🗝️", count: 80), String(repeating: "🗝️", count: 80) + "2",
  ]

  private static let names: [Clause] = [
    Clause(description: "no two names share a value, however alike they look") { subject in
      for (index, name) in difficultNames.enumerated() { try subject.write(Data([UInt8(index)]), name) }
      for (index, name) in difficultNames.enumerated() { try subject.expect(Data([UInt8(index)]), at: name) }
      for (index, name) in difficultNames.enumerated() where index % 2 == 0 { try subject.remove(name) }
      for (index, name) in difficultNames.enumerated() {
        try subject.expect(index % 2 == 0 ? nil : Data([UInt8(index)]), at: name)
      }
    }
  ]

  private static let sizes: [Clause] = [
    Clause(description: "a value of no bytes is a value") { subject in
      try subject.write(Data(), "empty")
      try subject.expect(Data(), at: "empty")
      try subject.require(try subject.exists("empty"), "it does not exist")
    },
    Clause(description: "every byte survives, and so does a slice of a larger buffer") { subject in
      let bytes = Data((0..<1_024).map { UInt8(truncatingIfNeeded: $0) })
      try subject.write(bytes.dropFirst(3), "all")
      try subject.expect(Data(bytes.dropFirst(3)), at: "all")
    },
    Clause(description: "a large value survives") { subject in
      let bytes = Data((0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
      try subject.write(bytes, "large")
      try subject.expect(bytes, at: "large")
    },
    Clause(description: "a value of the size allowed is read, one byte more is refused and stays") { subject in
      for name in ["limited", String(repeating: "limited", count: 40)] {
        var limited = subject
        limited.attributes.maxStoredSize = 1_000
        try limited.write(Data(count: 1_000), name)
        try limited.expect(Data(count: 1_000), at: name)
        try subject.write(Data(count: 1_001), name)
        try limited.expect(.valueTooLarge(limit: 1_000), "reading") { () throws(StorageProblem) in
          try limited.read(name)
        }
        try limited.expect(.valueTooLarge(limit: 1_000), "updating") { () throws(StorageProblem) in
          try limited.update(name) { _ in .remove }
        }
        try subject.expect(Data(count: 1_001), at: name)
      }
    },
  ]

  private static let updates: [Clause] = [
    Clause(description: "an update sees what is there, and writes, removes or keeps") { subject in
      try subject.update("a") { old in old == nil ? .write(Data([1])) : .remove }
      try subject.expect(Data([1]), at: "a")
      try subject.update("a") { _ in .keep }
      try subject.expect(Data([1]), at: "a")
      try subject.update("a") { old in .write((old ?? Data()) + [2]) }
      try subject.expect(Data([1, 2]), at: "a")
      try subject.update("a") { _ in .remove }
      try subject.expect(nil, at: "a")
      try subject.update("a") { _ in .keep }
      try subject.expect(nil, at: "a")
      try subject.require(try !subject.exists("a"), "it exists")
      try subject.update("a") { _ in .remove }
      try subject.expect(nil, at: "a")
    },
    Clause(description: "an update that throws changes nothing, and the store goes on") { subject in
      try subject.write(Data([1]), "a")
      try subject.expect(.authenticationFailed, "updating") { () throws(StorageProblem) in
        try subject.update("a") { _ throws(StorageProblem) in throw .authenticationFailed }
      }
      try subject.expect(Data([1]), at: "a")
      try subject.write(Data([2]), "a")
      try subject.expect(Data([2]), at: "a")
    },
    Clause(description: "updates of many threads are all kept") { subject in
      let threads = 8
      let rounds = 25
      let faults = Faults()
      onThreads(threads) { _ in
        for _ in 0..<rounds {
          do {
            try subject.update("count") { old in
              // This gives other threads the time to read the same value, if the store does not exclude them.
              usleep(100)
              return .write(Data([(old?.first ?? 0) + 1]))
            }
          } catch { faults.note(error) }
        }
      }
      if let fault = faults.first { throw fault }
      try subject.expect(Data([UInt8(threads * rounds)]), at: "count")
    },
    Clause(description: "a reader beside writers sees one value or another, never a mixture") { subject in
      let values = (1...4).map { Data(repeating: $0, count: 20_000 + Int($0)) }
      try subject.write(values[0], "a")
      let faults = Faults()
      onThreads(4) { thread in
        for round in 0..<20 {
          do {
            if thread < 2 {
              try subject.write(values[(round + thread) % 4], "a")
            } else {
              let bytes = try subject.read("a")
              try subject.require(values.contains { $0 == bytes }, "a mixture, or nothing, was read")
            }
          } catch { faults.note(error) }
        }
      }
      if let fault = faults.first { throw fault }
    },
  ]

  private static let listings: [Clause] = [
    Clause(description: "a container that is not there has no names") { subject in
      try subject.require(try subject.names() == [], "it has some")
    },
    Clause(description: "the names of a container are those of its values, each once, however difficult") { subject in
      // Where two spellings of one text are one name, a listing gives either.
      let names = Set(difficultNames)
      for name in names { try subject.write(Data([1]), name) }
      for name in ["gone", String(repeating: "gone", count: 100)] {
        try subject.write(Data([2]), name)
        try subject.remove(name)
      }
      let met = try subject.names()
      try subject.require(met.count == names.count, "it has \(met.count) of \(names.count)")
      try subject.require(Set(met) == Set(names.map { Array($0.utf8) }), "it has others")
      try subject.require(try subject.names(stopAfter: 2).count == 2, "it does not stop")
    },
    Clause(description: "a listing passes on what its visitor throws") { subject in
      try subject.write(Data([1]), "a")
      try subject.expect(.corrupted, "listing") { () throws(StorageProblem) in
        try subject.store.names(in: subject.container) { _ throws(StorageProblem) in throw .corrupted }
      }
    },
  ]

  private static let durability: [Clause] = [
    Clause(description: "a container that is not there is durable, has nothing to purge, and is not made") { subject in
      try subject.store.makeDurable(subject.container)
      try subject.store.purge(subject.container)
      try subject.expect(nil, at: "a")
      try subject.require(try subject.names() == [], "it is not empty")
    },
    Clause(description: "making durable and purging keep what is there, and nothing that was removed") { subject in
      try subject.write(Data(repeating: 1, count: 100_000), "a")
      try subject.write(Data([2]), "b")
      try subject.store.makeDurable(subject.container)
      try subject.store.makeDurable(subject.container)
      try subject.remove("a")
      try subject.store.purge(subject.container)
      try subject.expect(nil, at: "a")
      try subject.expect(Data([2]), at: "b")
      try subject.write(Data([3]), "a")
      try subject.expect(Data([3]), at: "a")
    },
  ]
}
