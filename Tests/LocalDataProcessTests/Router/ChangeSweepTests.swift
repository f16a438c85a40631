#if os(Linux)
  import Foundation
  import ProbeKeys
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @testable import LocalData

  /// Verbs that change several values, create one, or need no `await`, in a process whose file calls are killed, cut short or
  /// failed, once and from one call on.
  ///
  /// Each file call of each verb is met by some of the actions: which ones, differs from place to place.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct ChangeSweepTests {
    struct Scenario: Sendable, CustomTestStringConvertible {
      var change: ProbeChange
      /// A Boolean value that indicates whether nothing is stored before.
      var isFresh = false
      /// The scenario's place in the list.
      var number = 0

      var testDescription: String { "\(change), \(isFresh ? "nothing stored" : "over values")" }
      var before: [Int?] { isFresh ? change.keys.map { _ in nil } : change.before }
      var after: [Int?] { change.values(after: before) }
    }

    static let scenarios: [Scenario] = {
      let both = [true, false]
      func scenarios(_ verb: ProbeChange.Verb, _ addresses: [ProbeAddress], isFresh: [Bool]) -> [Scenario] {
        addresses.flatMap { address in isFresh.map { Scenario(change: ProbeChange(verb, in: address), isFresh: $0) } }
      }
      let all =
        scenarios(.transaction, [.preferences, .sealedPreferences, .groupPreferences, .keychain], isFresh: both)
        + scenarios(.create, ProbeAddress.allCases, isFresh: both)
        + scenarios(.removeCatalog, ProbeAddress.allCases, isFresh: [false])
        + scenarios(.removeFamily, ProbeAddress.allCases, isFresh: [false])
        + scenarios(.removeAccount, [.preferences, .keychain, .files], isFresh: [false])
        + scenarios(.setValue, [.preferences, .groupPreferences], isFresh: both)
        + scenarios(.removeValue, [.preferences, .groupPreferences], isFresh: [false])
      return all.enumerated().map { number, scenario in
        var scenario = scenario
        scenario.number = number
        return scenario
      }
    }()

    @Test(arguments: Sweep.isFull ? scenarios : Sweep.sample(scenarios, quick: 10)) func aChangeIsMadeOrNot(
      _ scenario: Scenario
    ) async throws {
      let fixture = try StoreFixture(isInMemory: true)
      let words = [scenario.change.address.rawValue, scenario.change.verb.rawValue]
      let sweep = try FaultSweep(["change"] + words, in: fixture, FaultShim(in: fixture)) {
        guard !scenario.isFresh else { return }
        let end = try ChildProcess.run(ChildProcess.probe, ["change", fixture.path("store")] + words + ["seed"])
        #expect(end.code == 0, "\(end)")
      }
      var count = 0
      for (number, action) in FaultSweep.Action.allCases.enumerated() {
        guard Sweep.isFull || (scenario.number + number) % 2 == 0 else { continue }
        // Most calls of a scenario in which nothing is stored create databases and keys, which other suites sweep too.
        // The errors take turns from call to call.
        let stride = scenario.isFresh ? (action.isKill ? 3 : 41) : (action.isKill ? 1 : 13)
        count += try await sweep.run([action], each: stride, after: scenario.number + number) { moment in
          try await check(scenario, moment)
        }
      }
      #expect(count >= Sweep.count(quick: 3, full: 20))
    }

    private func check(_ scenario: Scenario, _ moment: FaultSweep.Moment) async throws {
      let (change, before, after) = (scenario.change, scenario.before, scenario.after)
      let found = try await values(of: change, in: moment.folder)
      if moment.end.code == 0 {
        #expect(found == after, "\(moment): it succeeded")
      } else {
        #expect(moment.end.code == 3 || moment.action.isKill, "\(moment): it crashed")
        if change.isOneByOne {
          for (value, old) in zip(found, before) { #expect(value == old || value == nil, "\(moment): \(found)") }
        } else {
          #expect(found == before || found == after, "\(moment): \(found)")
        }
      }
      do { try await change.run(on: .probe(in: moment.folder)) } catch {
        Issue.record("\(moment): the next call fails, \(error)")
      }
      let next = try await values(of: change, in: moment.folder)
      #expect(next == after, "\(moment): \(next) after the next call")
    }

    /// Returns the values that the next launch of the app reads.
    private func values(of change: ProbeChange, in folder: String) async throws -> [Int?] {
      let router = StorageRouter.probe(in: folder)
      var values: [Int?] = []
      for key in change.keys { values.append(try await router.get(key)) }
      return values
    }
  }
#endif
