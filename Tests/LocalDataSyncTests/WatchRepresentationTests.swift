import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataVocabulary
import Testing

@_spi(Generated) @testable import LocalData
@testable import LocalDataSync

private struct Profile: Codable, Sendable, Equatable {
  var name: String
  var portrait = Data(count: 200_000)
}

private struct Glance: Codable, Sendable, Equatable {
  var name: String

  struct Unknown: Error {}

  init(_ profile: Profile) throws {
    guard profile.name != "secret-unknown" else { throw Unknown() }
    name = profile.name
  }
}

/// The phone's key, as generated with `watch: {type: Glance, transform: Glance.init}`.
private enum PhoneCatalog: StorageKeyCatalog {
  static let features: [StorageFeature] = [.sync]
  static let profile = StorageKey<Profile?>(
    "profile", .fileSystem(directory: .documents), .recommended, .propertyList, syncPolicy: .automaticSmall
  )
  .decrypted()
  .watched(by: WatchRepresentation(Serializer<Glance>.propertyList) { try $0.map(Glance.init) })

  static var allKeys: [AnyStorageKey] { [.key(profile)] }
}

/// The watch's own catalog: the same name and domain, the smaller type.
private enum WatchCatalog: StorageKeyCatalog {
  static let features: [StorageFeature] = [.sync]
  static let profile = StorageKey<Glance?>(
    "profile", .fileSystem(directory: .documents), .none, .propertyList, syncPolicy: .automaticSmall)

  static var allKeys: [AnyStorageKey] { [.key(profile)] }
}

@Suite struct WatchRepresentationTests {
  private let linked = LinkedTransports()
  private let phone = StorageRouter.inMemory(configuration: StorageConfiguration(platform: .phone))
  private let watch = StorageRouter.inMemory(configuration: StorageConfiguration(platform: .watch))

  init() throws {
    try phone.registerCatalog(PhoneCatalog.self)
    try watch.registerCatalog(WatchCatalog.self)
    phone.sync.setTransport(linked.phone)
    watch.sync.setTransport(linked.watch)
  }

  private func deliver() async -> [SyncEvent] {
    var events: [SyncEvent] = []
    for payload in linked.watch.arrivals() { events += await watch.sync.receive(payload) }
    return events
  }

  @Test func theWatchGetsTheSmallerForm() async throws {
    try await phone.set(Profile(name: "Ada"), for: PhoneCatalog.profile)
    #expect(try #require(linked.phone.sent.last).count < 1_000)
    #expect(await deliver() == [.received(.of(WatchCatalog.profile))])
    #expect(try await watch.get(WatchCatalog.profile)?.name == "Ada")
    #expect(try await phone.get(PhoneCatalog.profile) == Profile(name: "Ada"))
    // A call of `send` sends the stored value in the same form.
    try await phone.update(PhoneCatalog.profile) { $0?.name += "!" }
    try await phone.sync.send(PhoneCatalog.profile)
    _ = await deliver()
    #expect(try await watch.get(WatchCatalog.profile)?.name == "Ada!")
    try await phone.remove(PhoneCatalog.profile)
    _ = await deliver()
    #expect(try await watch.get(WatchCatalog.profile) == nil)
  }

  @Test func theWatchDoesNotSendItBackAndStillTakesTheNextOne() async throws {
    try await phone.set(Profile(name: "Ada"), for: PhoneCatalog.profile)
    _ = await deliver()
    for number in 0..<3 {
      try await watch.set(try Glance(Profile(name: "own \(number)")), for: WatchCatalog.profile)
      try await watch.sync.send(WatchCatalog.profile)
      try await watch.sync.sendAll()
    }
    #expect(try linked.watch.sent.allSatisfy { try SyncPayload($0).entries.isEmpty })
    #expect(try await watch.get(WatchCatalog.profile)?.name == "own 2")
    try await phone.set(Profile(name: "Eve"), for: PhoneCatalog.profile)
    _ = await deliver()
    #expect(try await watch.get(WatchCatalog.profile)?.name == "Eve")
  }

  @Test func thePhoneTakesNoneBack() async throws {
    try await phone.set(Profile(name: "Ada"), for: PhoneCatalog.profile)
    // A watch that has received nothing yet.
    try await watch.set(try Glance(Profile(name: "own")), for: WatchCatalog.profile)
    let payload = try #require(linked.phone.received)
    #expect(await phone.sync.receive(payload) == [.ignored(.of(PhoneCatalog.profile), .watchRepresentation)])
    #expect(try await phone.get(PhoneCatalog.profile)?.name == "Ada")
  }

  @Test func whatTheWatchSetBeforeDoesNotStandInTheWay() async throws {
    for number in 0..<5 { try await watch.set(try Glance(Profile(name: "own \(number)")), for: WatchCatalog.profile) }
    try await phone.set(Profile(name: "Ada"), for: PhoneCatalog.profile)
    _ = await deliver()
    #expect(try await watch.get(WatchCatalog.profile)?.name == "Ada")
  }

  @Test func aTransformThatThrowsIsAnEventWithoutItsText() async throws {
    var events = phone.sync.events.makeAsyncIterator()
    try await phone.set(Profile(name: "secret-unknown"), for: PhoneCatalog.profile)
    let event = try #require(await events.next())
    let subject = StorageError.Subject.of(PhoneCatalog.profile)
    #expect(event == .notSent(subject, .failed(StorageError(.cannotEncode, subject))))
    #expect(!"\(event)".contains("secret"))
    #expect(try await phone.get(PhoneCatalog.profile)?.name == "secret-unknown")
  }

  @Test func thePhonesCatalogOnAWatchNeitherSendsNorTakesIt() async throws {
    let router = StorageRouter.inMemory(configuration: StorageConfiguration(platform: .watch))
    try router.registerCatalog(PhoneCatalog.self)
    router.sync.setTransport(linked.watch)
    try await router.set(Profile(name: "own"), for: PhoneCatalog.profile)
    await #expect(throws: StorageError(.syncUnavailable, .of(PhoneCatalog.profile))) {
      try await router.sync.send(PhoneCatalog.profile)
    }
    try await phone.set(Profile(name: "Ada"), for: PhoneCatalog.profile)
    let payload = try #require(linked.watch.received)
    #expect(await router.sync.receive(payload) == [.ignored(.of(PhoneCatalog.profile), .watchRepresentation)])
    #expect(try await router.get(PhoneCatalog.profile)?.name == "own")
  }
}
