import Foundation
import LocalDataTesting
import LocalDataVocabulary
import Testing

@testable import LocalData
@testable import LocalDataSync

@Suite struct SyncEventsTests {
  @Test func everyListenerHearsEveryEventOfItsTime() async throws {
    let (phone, _) = try SyncDevice.pair()
    var first = phone.router.sync.events.makeAsyncIterator()
    try await phone.router.set(1, for: SyncedKeys.plain)
    var second = phone.router.sync.events.makeAsyncIterator()
    try await phone.router.set(2, for: SyncedKeys.group)
    #expect(await first.next() == .sent(.of(SyncedKeys.plain)))
    #expect(await first.next() == .sent(.of(SyncedKeys.group)))
    #expect(await second.next() == .sent(.of(SyncedKeys.group)))
  }

  @Test func whoDoesNotKeepUpLosesTheOldest() async throws {
    let hub = SyncEventHub()
    var events = hub.events().makeAsyncIterator()
    for number in 0..<300 { hub.publish(.sent(.init(key: "\(number)", domain: nil))) }
    #expect(await events.next() == .sent(.init(key: "44", domain: nil)))
  }

  @Test func eventsEndWithTheirRouter() async {
    var hub: SyncEventHub? = SyncEventHub()
    var events = hub?.events().makeAsyncIterator()
    hub = nil
    #expect(await events?.next() == nil)
  }

  @Test func noEventHoldsAValueOrAParameter() async throws {
    let (phone, watch) = try SyncDevice.pair()
    let key = SyncedCatalog.note(named: "note_alice")
    try await phone.router.set(4_711, for: key)
    var sent = phone.router.sync.events.makeAsyncIterator()
    try await phone.router.sync.send(key)
    let events = await watch.receive() + [try #require(await sent.next())]
    #expect(
      events == [
        .received(.init(key: "note_{id}", domain: .userDefaults)),
        .sent(.init(key: "note_{id}", domain: .userDefaults)),
      ])
    #expect(!"\(events)".contains("alice") && !"\(events)".contains("4711"))
  }
}
