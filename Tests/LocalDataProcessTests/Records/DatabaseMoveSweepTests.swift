#if os(Linux)
  import Foundation
  @_spi(Generated) import LocalData
  @_spi(Generated) import LocalDataRecords
  import ProbeKeys
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// Moves of a database in a process whose file calls are killed, cut short or failed.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct DatabaseMoveSweepTests {
    private static let cards = ["a", "b", "c"]

    /// The third release has another name and lists the addresses of the first two.
    @Test(arguments: ["two", "three"]) func theRowsAreAtOneAddressOrTheOther(release: String) async throws {
      let fixture = try StoreFixture(isInMemory: true)
      let sweep = try FaultSweep(["cards", release, "read"], in: fixture, FaultShim(in: fixture)) {
        let words = ["cards", fixture.path("store"), "one", "save"] + Self.cards
        let end = try ChildProcess.run(ChildProcess.probe, words)
        #expect(end.code == 0, "\(end)")
      }
      let count = try await sweep.runEverywhere { moment in try await check(moment, release) }
      #expect(count >= Sweep.count(quick: 5, full: 100))
    }

    /// The app is updated after the process was killed.
    @Test func aLaterReleaseCompletesTheMove() async throws {
      let fixture = try StoreFixture(isInMemory: true)
      let sweep = try FaultSweep(["cards", "two", "read"], in: fixture, FaultShim(in: fixture)) {
        let words = ["cards", fixture.path("store"), "one", "save"] + Self.cards
        let end = try ChildProcess.run(ChildProcess.probe, words)
        #expect(end.code == 0, "\(end)")
      }
      let count = try await sweep.run([.kill]) { moment in
        if moment.number % 3 == 0 {
          try await StorageRouter.probe(in: moment.folder).cards(ProbeWallet.Three.self).delete(id: "none")
        } else if moment.number % 3 == 1 {
          let router = StorageRouter.probe(in: moment.folder)
          try router.registerCatalog(ProbeWallet.Catalog<ProbeWallet.Three>.self)
          try await router.removeAll(in: ProbeWallet.Three.self)
        }
        let expected = moment.number % 3 == 1 ? [] : Self.cards
        #expect(await cards(ProbeWallet.Three.self, in: moment) == .success(expected), "\(moment)")
      }
      #expect(count >= Sweep.count(quick: 3, full: 20))
    }

    private func check(_ moment: FaultSweep.Moment, _ release: String) async throws {
      #expect(moment.end.code == 0 || moment.end.code == 3 || moment.action.isKill, "\(moment): it crashed")
      // A release that is rolled back reads all rows, or it is refused.
      let refusal = StorageError(.unknownFormatVersion, .init(key: "Card", domain: .fileSystem))
      let old = await cards(ProbeWallet.One.self, in: moment)
      #expect(old == .success(Self.cards) || old == .failure(refusal), "\(moment): \(old)")
      let new =
        release == "two"
        ? await cards(ProbeWallet.Two.self, in: moment) : await cards(ProbeWallet.Three.self, in: moment)
      #expect(new == .success(Self.cards), "\(moment): \(new)")
      #expect(await cards(ProbeWallet.One.self, in: moment) == .failure(refusal), "\(moment)")
    }

    /// Returns the cards that the next launch of a release reads.
    private func cards<Home: RecordDatabase>(
      _ home: Home.Type, in moment: FaultSweep.Moment
    ) async -> Result<[String], StorageError> {
      let router = StorageRouter.probe(in: moment.folder)
      do throws(StorageError) {
        let found = try await router.cards(home).where { $0.issuer == "city library" }.fetchAll()
        return .success(found.map(\.id).sorted())
      } catch { return .failure(error) }
    }
  }
#endif
