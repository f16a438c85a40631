#if os(Linux)
  import Foundation
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @testable import LocalData
  @testable import LocalDataMaintenance

  /// A rotation of keys in a process that is killed, or whose file calls fail, at each call in turn; and one beside processes
  /// that set values.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct RotationSweepTests {
    private static let spoiled = [ProbeAddress.sealedPreferences, .encryptedFiles, .groupFiles]

    private func router(_ folder: String) throws -> StorageRouter {
      let router = StorageRouter.probe(in: folder)
      try ProbeCatalog.register(
        ProbeAddress.allCases.map { .key($0.retained) } + Self.spoiled.map { .key(counter($0).spoiling) }, on: router)
      return router
    }

    private func counter(_ address: ProbeAddress) -> StorageKey<Int> {
      StorageKey(
        name: "counter", domain: address.domain, security: address.security, default: 0, owner: "Tests",
        description: "A counter that processes share.")
    }

    private func probe(_ folder: String, _ words: String...) throws {
      let end = try ChildProcess.run(ChildProcess.probe, [words[0], folder] + words.dropFirst())
      #expect(end.code == 0, "\(words): \(end)")
    }

    private struct Count {
      var kills = 0
      var errors = 0
      var begun = 0
      var ended = 0
    }

    @Test func aRotationThatIsKilledOrFailsIsContinued() async throws {
      let fixture = try StoreFixture(isInMemory: true)
      let sweep = try FaultSweep(["maintenance", "rotate"], in: fixture, FaultShim(in: fixture)) {
        try probe(fixture.path("store"), "maintenance", "seed")
        for address in Self.spoiled {
          try probe(fixture.path("store"), "router", address.rawValue, "spoil")
          try probe(fixture.path("store"), "router", address.rawValue, "quarantine")
        }
      }
      var count = Count()
      count.kills += try await sweep.run([.kill, .shortkill]) { try await check($0, &count) }
      for (number, action) in [FaultSweep.Action.eio, .enospcOn, .eaccesOn, .emfileOn].enumerated() {
        count.errors += try await sweep.run([action], each: 9, after: number) { try await check($0, &count) }
      }
      Sweep.report(
        "faults of a rotation",
        "\(count.kills) kills, \(count.errors) errors, \(count.begun) begun, \(count.ended) ended")
      #expect(count.kills >= Sweep.count(quick: 3, full: 85) && count.errors >= Sweep.count(quick: 2, full: 40))
      #expect(count.begun >= Sweep.count(quick: 1, full: 20) && count.ended >= Sweep.count(quick: 0, full: 1))
    }

    private func check(_ moment: FaultSweep.Moment, _ count: inout Count) async throws {
      #expect([0, 3].contains(moment.end.code) || moment.action.isKill, "\(moment): it crashed")
      let router = try router(moment.folder)
      try await expectValues(of: router, "\(moment)")
      // A value is set by another process before the rotation is continued.
      let address = ProbeAddress.allCases[moment.number % ProbeAddress.allCases.count]
      try await self.router(moment.folder).set("later", for: address.retained)
      let records = try router.maintenance.sealedValues().map { values in
        try values.encryption.storedRecord(of: values.keyset)
      }
      let keys = records.map { $0?.keys.count ?? 0 }
      let isRotating = records.map { $0?.isRotating ?? false }
      if isRotating.contains(true) { count.begun += 1 }
      if zip(keys, isRotating).contains(where: { $0 == 2 && !$1 }) { count.ended += 1 }
      #expect(keys.allSatisfy { $0 == 1 || $0 == 2 }, "\(moment): \(keys)")

      #expect(try await router.maintenance.rotateKeys().isComplete, "\(moment)")
      let continued = try router.maintenance.sealedValues().map { values in
        try values.encryption.storedRecord(of: values.keyset)
      }
      for (index, record) in continued.enumerated() {
        // A rotation that was begun is continued with its key.
        #expect(record?.keys.count == (isRotating[index] ? keys[index] : keys[index] + 1), "\(moment)")
        #expect(record?.isRotating == false, "\(moment)")
      }
      let retired = continued.reduce(0) { $0 + ($1?.keys.count ?? 1) - 1 }
      #expect(try await router.maintenance.destroyRetiredKeys() == retired, "\(moment)")

      let next = try self.router(moment.folder)
      try await expectValues(of: next, except: address, "\(moment)")
      #expect(try await next.get(address.retained) == "later", "\(moment)")
      let copies = try await next.maintenance.quarantined()
      #expect(copies.count == Self.spoiled.count, "\(moment)")
      for copy in copies { #expect(try await next.maintenance.restore(copy), "\(moment)") }
      for address in Self.spoiled {
        #expect(try await next.get(counter(address).spoiling) == "abc", "\(moment): \(address)")
      }
      #expect(await next.maintenance.sweep().failures == [], "\(moment)")
      let left = try FileManager.default.subpathsOfDirectory(atPath: moment.folder).filter { $0.hasSuffix(".new") }
      #expect(left.isEmpty, "\(moment): \(left)")
    }

    private func expectValues(of router: StorageRouter, except other: ProbeAddress? = nil, _ moment: String)
      async throws
    {
      for address in ProbeAddress.allCases where address != other {
        #expect(try await router.get(address.retained) == "abc", "\(moment): \(address)")
      }
    }

    /// No increment is lost, and nothing is sealed with a retired key, whichever process is killed.
    @Test func processesThatSetValuesDuringRotationsLoseNone() async throws {
      let fixture = try StoreFixture(isInMemory: true)
      let shim = try FaultShim(in: fixture)
      let (folder, addresses) = (fixture.path("store"), [ProbeAddress.sealedPreferences] + Self.spoiled.dropFirst())
      try probe(folder, "maintenance", "seed")
      let (rotations, increments) = (Sweep.count(quick: 4, full: 8), Sweep.count(quick: 60, full: 150))
      let writers = try addresses.map { address in
        try ChildProcess(ChildProcess.probe, ["router", folder, address.rawValue, "increment", "\(increments)"])
      }
      var kills = 0
      for rotation in 0..<rotations {
        // Every second one is killed somewhere.
        let environment = rotation % 2 == 0 ? shim.environment("kill", at: 20 + 45 * rotation) : [:]
        let end = try ChildProcess.run(ChildProcess.probe, ["maintenance", folder, "rotate"], environment: environment)
        #expect(end.code == 0 || (end.code == nil && !environment.isEmpty), "\(end)")
        if end.code == nil { kills += 1 }
      }
      for writer in writers {
        let end = writer.wait()
        #expect(end.code == 0, "\(end)")
      }
      let router = try router(folder)
      #expect(try await router.maintenance.rotateKeys().isComplete)
      let destroyed = try await router.maintenance.destroyRetiredKeys()
      let next = try self.router(folder)
      for address in addresses {
        // This key is not registered with the others, which have another type.
        let found = try await StorageRouter.probe(in: folder).get(counter(address))
        #expect(found == increments, "\(address)")
      }
      try await expectValues(of: next, "after the rotations")
      #expect(kills >= 1 && destroyed >= rotations / 2)
      Sweep.report(
        "rotations beside processes",
        "\(rotations) beside \(addresses.count), \(kills) killed, \(destroyed) keys destroyed")
    }
  }
#endif
