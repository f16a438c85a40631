import LocalDataFoundation
import Testing

@testable import LocalDataSystem

@Suite struct OnceCacheTests {
  /// Makes values when the test lets it.
  private final class Maker: Sendable {
    let begun = AsyncStream<Int>.makeStream()
    private let steps = AsyncStream<Result<Int, StorageProblem>>.makeStream()
    private let count = Lock(0)

    var calls: Int { count.withLock { $0 } }

    func end(_ result: Result<Int, StorageProblem>) { steps.continuation.yield(result) }

    func make() async throws(StorageProblem) -> Int {
      begun.continuation.yield(
        count.withLock { count in
          count += 1
          return count
        })
      for await result in steps.stream { return try result.get() }
      throw .busy
    }
  }

  private let cache = OnceCache<String, Int>()
  private let maker = Maker()

  private func value() async throws(StorageProblem) -> Int {
    let maker = maker
    return try await cache.value(for: "a") { () async throws(StorageProblem) in try await maker.make() }
  }

  @Test func callersShareOneValue() async throws {
    async let first = value()
    for await _ in maker.begun.stream { break }
    #expect(cache.known("a") == nil)
    async let second = value()
    maker.end(.success(1))
    #expect(try await (first, second) == (1, 1))
    #expect(cache.known("a") == 1)
    #expect(try await value() == 1)
    #expect(maker.calls == 1)
  }

  @Test func aFailureIsNotKept() async throws {
    maker.end(.failure(.locked))
    await #expect(throws: StorageProblem.locked) { try await value() }
    #expect(cache.known("a") == nil)
    maker.end(.success(2))
    #expect(try await value() == 2)
    #expect(cache.known("a") == 2)
  }

  @Test func aForgottenValueThatComesLateIsNotKept() async throws {
    async let first = value()
    for await _ in maker.begun.stream { break }
    cache.forget("a")
    maker.end(.success(1))
    #expect(try await first == 1)
    #expect(cache.known("a") == nil)
    maker.end(.success(2))
    #expect(try await value() == 2)
    cache.forget("a")
    #expect(cache.known("a") == nil)
  }
}
