#if os(Linux)
  import Foundation
  import LocalDataTesting
  import RuntimeTestSupport
  import LocalDataVocabulary
  import TestSupport
  import Testing

  @testable import LocalData
  @testable import LocalDataSync

  /// A process that is killed at each file call of a change, and of a delivery: no version is given twice, and none is lost.
  @Suite(.enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"))
  struct SyncKillTests {
    private let key = StorageKey<Int>(
      name: "counter", domain: .fileSystem(directory: .documents), security: .none, default: 0, owner: "Tests",
      description: "A counter that processes share.", syncPolicy: .manual)

    private enum Catalog: StorageKeyCatalog {
      static let features: [StorageFeature] = [.sync]
      static var allKeys: [AnyStorageKey] { [.key(SyncKillTests().key)] }
    }

    private func router(_ fixture: StoreFixture, _ transport: LinkedTransport) throws -> StorageRouter {
      let roots = StorageRoots(below: URL(fileURLWithPath: fixture.path("store")))
      let router = StorageRouter(configuration: StorageConfiguration(applicationName: "Probe", roots: roots))
      try router.registerCatalog(Catalog.self)
      router.sync.setTransport(transport)
      return router
    }

    private func probe(
      _ fixture: StoreFixture, _ words: [String], _ environment: [String: String]
    ) throws -> ChildProcess.End {
      try ChildProcess.run(
        ChildProcess.probe, ["router", fixture.path("store"), "synced"] + words, environment: environment)
    }

    /// The bytes that were seen with every version.
    private struct Seen {
      var values: [SyncVersion: Data?] = [:]

      mutating func see(_ entry: SyncPayload.Entry, _ moment: String) {
        if let known = values[entry.version] { #expect(known == entry.bytes, "\(moment): one version of two values") }
        values[entry.version] = .some(entry.bytes)
      }
    }

    @Test func aChangeThatIsKilledGivesNoVersionTwice() async throws {
      let fixture = try StoreFixture()
      let shim = try FaultShim(in: fixture)
      let linked = LinkedTransports()
      try await router(fixture, linked.phone).set(1, for: key)
      let calls = shim.calls(in: try probe(fixture, ["set", "2"], shim.environment("list")).output)
      #expect(calls.contains { $0.name.contains("write") } && calls.count >= 20)
      var seen = Seen()
      let numbers = Sweep.sample(Array(1...calls.count), quick: 5)
      for number in numbers {
        let moment = "kill at \(number), \(calls[number - 1])"
        let before = try await router(fixture, linked.phone).get(key)
        let end = try probe(fixture, ["set", "\(number + 100)"], shim.environment("kill", at: number))
        #expect(end.code == nil, "\(moment): it was not killed")
        // A new process, the next launch, and another watch: what was sent before hides nothing.
        linked.phone.forget()
        let router = try router(fixture, linked.phone)
        let value = try await router.get(key)
        #expect([before, number + 100].contains(value), "\(moment)")
        try await router.sync.send(key)
        let entry = try #require(try SyncPayload(try linked.phone.payload() ?? Data()).entries.first, "\(moment)")
        #expect(entry.bytes == Data("\(value)".utf8), "\(moment)")
        seen.see(entry, moment)
      }
      Sweep.report("kills of a synced change", "\(numbers.count) of \(calls.count) file calls")
    }

    @Test func aDeliveryThatIsKilledIsAppliedWhenItComesAgain() async throws {
      let fixture = try StoreFixture()
      let shim = try FaultShim(in: fixture)
      let linked = LinkedTransports()
      try await router(fixture, linked.phone).set(1, for: key)
      let calls = shim.calls(
        in: try probe(fixture, ["apply", try payload(fixture, 2).path], shim.environment("list")).output)
      #expect(calls.contains { $0.name.contains("write") } && calls.count >= 20)
      var seen = Seen()
      let numbers = Sweep.sample(Array(1...calls.count), quick: 5)
      for number in numbers {
        let moment = "kill at \(number), \(calls[number - 1])"
        // A value of this device's own, sent, between two deliveries.
        let own = try router(fixture, linked.phone)
        try await own.set(-number, for: key)
        try await own.sync.send(key)
        seen.see(try #require(try sent(linked)), moment)
        let (path, entry) = try payload(
          fixture, number + 100, after: seen.values.keys.map(\.counter).max() ?? 0)
        seen.see(entry, moment)
        #expect(try probe(fixture, ["apply", path], shim.environment("kill", at: number)).code == nil, "\(moment)")

        linked.phone.forget()
        let router = try router(fixture, linked.phone)
        let value = try await router.get(key)
        #expect([-number, number + 100].contains(value), "\(moment)")
        try await router.sync.send(key)
        if let entry = try sent(linked) { seen.see(entry, moment) }
        await router.sync.receive(try Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(try await router.get(key) == number + 100, "\(moment)")
      }
      Sweep.report("kills of a delivery", "\(numbers.count) of \(calls.count) file calls")
    }

    private func sent(_ linked: LinkedTransports) throws -> SyncPayload.Entry? {
      try linked.phone.payload().flatMap { try SyncPayload($0).entries.first }
    }

    /// A file with what another device sends.
    private func payload(
      _ fixture: StoreFixture, _ value: Int, after counter: UInt64 = 10
    ) throws -> (path: String, entry: SyncPayload.Entry) {
      let entry = SyncPayload.Entry(
        key: AnyStorageKey(key).syncKey, version: SyncVersion(counter: counter + 1, device: Self.other), schema: 1,
        isWatchRepresentation: false, bytes: Data("\(value)".utf8))
      let path = fixture.path("payload")
      let header = SyncPayload.Header(sender: Self.other, clock: counter + 1)
      try SyncPayload(header: header, entries: [entry]).bytes.write(to: URL(fileURLWithPath: path))
      return (path, entry)
    }

    private static let other = UUID()
  }
#endif
