import Foundation
import LocalDataTesting
import Testing

@Suite struct LinkedTransportTests {
  private func arrivals(_ line: LinkedTransports.Line, seed: UInt64) throws -> [Data] {
    let linked = LinkedTransports(seed: seed, line: line)
    for number in 0..<50 { try linked.phone.put(Data([UInt8(number)])) }
    return linked.watch.arrivals()
  }

  private let all = (0..<50).map { Data([UInt8($0)]) }

  @Test func aPerfectLineDeliversOnceAndInOrder() throws {
    #expect(try arrivals(.perfect, seed: 1) == all)
  }

  @Test func theSameSeedIsTheSameLine() throws {
    let line = LinkedTransports.Line(drops: 0.3, delays: 0.2, duplicates: 0.2)
    #expect(try arrivals(line, seed: 1) == arrivals(line, seed: 1))
    #expect(try arrivals(line, seed: 1) != arrivals(line, seed: 2))
  }

  @Test func aLineDropsDelaysDuplicatesAndReorders() throws {
    #expect(try arrivals(.init(drops: 1), seed: 1).isEmpty)
    let reordered = try arrivals(.init(), seed: 1)
    #expect(reordered != all && reordered.sorted { $0[0] < $1[0] } == all)

    let late = LinkedTransports(seed: 3, line: .init(delays: 0.5, isReordered: false))
    for payload in all { try late.phone.put(payload) }
    let first = late.watch.arrivals()
    #expect((1..<50).contains(first.count))
    var rest: [Data] = []
    for _ in 0..<100 { rest += late.watch.arrivals() }
    #expect((first + rest).sorted { $0[0] < $1[0] } == all)

    let twice = LinkedTransports(seed: 3, line: .init(duplicates: 0.5, isReordered: false))
    for payload in all { try twice.phone.put(payload) }
    #expect(twice.watch.arrivals() == all)
    #expect((1..<50).contains(twice.watch.arrivals().count))
  }

  @Test func whatWasPutLastIsThereForBoth() throws {
    let linked = LinkedTransports(line: .init(drops: 1))
    for payload in all { try linked.phone.put(payload) }
    #expect(try linked.phone.payload() == all.last)
    #expect(linked.watch.received == all.last)
    #expect(linked.phone.received == nil)
    #expect(linked.phone.sent == all)
  }
}
