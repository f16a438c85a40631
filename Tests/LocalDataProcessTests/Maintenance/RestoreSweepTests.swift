#if os(Linux)
  import Foundation
  import LocalData
  import LocalDataMaintenance
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  /// A restoration in a process that is killed, or whose file calls fail, at each call in turn.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct RestoreSweepTests {
    @Test(arguments: ProbeAddress.allCases.filter { $0 != .keychain }, ["restore", "clearQuarantine"])
    func nothingIsLostAndTheNextCallEndsIt(_ address: ProbeAddress, _ verb: String) async throws {
      let fixture = try StoreFixture(isInMemory: true)
      let sweep = try FaultSweep(["router", address.rawValue, verb], in: fixture, FaultShim(in: fixture)) {
        for verb in ["spoil", "quarantine"] {
          let end = try ChildProcess.run(ChildProcess.probe, ["router", fixture.path("store"), address.rawValue, verb])
          #expect(end.code == 0, "\(end)")
        }
      }
      var (count, stored, aside) = (0, 0, 0)
      for (number, action) in [FaultSweep.Action.kill, .shortkill, .eio, .enospcOn, .eaccesOn].enumerated() {
        let (each, first) = action.isKill ? (1, 0) : (3, number)
        count += try await sweep.run([action], each: each, after: first, isDivided: false) { moment in
          #expect([0, 3].contains(moment.end.code) || moment.action.isKill, "\(moment): it crashed")
          let router = StorageRouter.probe(in: moment.folder)
          let key = StorageKey<String?>(
            name: "counter", domain: address.domain, security: address.security, owner: "Tests", description: "A text.")
          try ProbeCatalog.register([.key(key)], on: router)
          let (value, copies) = (try await router.get(key), try await router.maintenance.quarantined())
          #expect(copies.count <= 1, "\(moment)")
          if value != nil { stored += 1 } else { aside += 1 }
          if verb == "restore" {
            #expect(value == "abc" || (value == nil && copies.count == 1), "\(moment): it is lost")
            if moment.end.code == 0 { #expect(value == "abc" && copies.isEmpty, "\(moment): it succeeded") }
            for copy in copies { #expect(try await router.maintenance.restore(copy), "\(moment)") }
            #expect(try await router.get(key) == "abc", "\(moment)")
          } else {
            #expect(value == nil, "\(moment)")
            if moment.end.code == 0 { #expect(copies.isEmpty, "\(moment): it succeeded") }
            #expect(try await router.maintenance.removeQuarantined(copies) == copies.count, "\(moment)")
          }
          #expect(try await router.maintenance.quarantined() == [], "\(moment)")
          #expect(await router.maintenance.sweep().failures == [], "\(moment)")
          let left = try FileManager.default.subpathsOfDirectory(atPath: moment.folder).filter { $0.hasSuffix(".new") }
          #expect(left.isEmpty, "\(moment): \(left)")
        }
      }
      Sweep.report("faults of \(verb) in \(address)", "\(stored) after the value was stored, \(aside) before")
      #expect(count >= (Sweep.isFull ? 14 : 2))
      if verb == "restore", Sweep.isFull { #expect(stored >= 1 && aside >= 1) }
    }
  }
#endif
