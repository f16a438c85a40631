public import LocalData

/// The requirements for every implementation of ``StorageProviding``, one clause for each. Use it to check your own
/// implementation, for example a fake.
///
/// The clauses use their own keys. A router with a registered catalog refuses these keys.
///
/// ```swift
/// @Test(arguments: StorageContract.clauses) func holds(_ clause: StorageContract.Clause) async throws {
///   try await clause.check(DictionaryStorage())
/// }
/// ```
public enum StorageContract {
  /// One requirement. It is checked with an empty storage.
  public struct Clause: Sendable, CustomStringConvertible {
    /// The requirement as a sentence.
    public let description: String
    private let body: @Sendable (any StorageProviding) async throws -> Void

    fileprivate init(_ description: String, _ body: @escaping @Sendable (any StorageProviding) async throws -> Void) {
      self.description = description
      self.body = body
    }

    /// Checks that a storage meets the requirement.
    ///
    /// - Parameter storage: An empty storage.
    /// - Throws: ``Violation`` if it does not, and every error that the storage throws.
    @concurrent public func check(_ storage: any StorageProviding) async throws { try await body(storage) }
  }

  /// The error of a requirement that is not met.
  public struct Violation: Error, CustomStringConvertible {
    /// The expected result, and the actual one.
    public let description: String
  }

  private struct Refusal: Error {}

  private static let text = StorageKey<String?>(
    name: "contract.text", domain: .userDefaults(), security: .none, owner: "Tests", description: "A text.")
  private static let other = StorageKey<String?>(
    name: "contract.other", domain: .userDefaults(), security: .none, owner: "Tests", description: "Another text.")
  private static let number = StorageKey<Int>(
    name: "contract.number", domain: .userDefaults(), security: .none, default: 7, owner: "Tests",
    description: "A number.")
  private static let required = StorageKey<[Int]>(
    name: "contract.required", domain: .userDefaults(), security: .none, owner: "Tests", description: "Numbers.")

  private static func require(_ condition: Bool, _ complaint: String) throws {
    if !condition { throw Violation(description: complaint) }
  }

  /// All requirements.
  public static let clauses: [Clause] = [
    Clause("an absent value reads nil, and does not exist") { storage in
      try require(try await storage.get(text) == nil, "an absent value does not read nil")
      try require(try await !storage.exists(text), "an absent value exists")
    },
    Clause("an absent value reads as the key's default, and does not exist") { storage in
      try require(try await storage.get(number) == 7, "an absent value does not read as the default")
      try require(try await !storage.exists(number), "an absent value exists because it has a default")
    },
    Clause("an absent value of a key with neither throws notFound") { storage in
      do { _ = try await storage.get(required) } catch let error as StorageError {
        guard error.code == .notFound else { throw Violation(description: "it throws \(error) instead of notFound") }
        return
      }
      throw Violation(description: "it throws nothing")
    },
    Clause("a value that was set is read, and exists") { storage in
      try await storage.set("abc", for: text)
      try require(try await storage.get(text) == "abc", "another value is read")
      try require(try await storage.exists(text), "it does not exist")
      try await storage.set("def", for: text)
      try require(try await storage.get(text) == "def", "a second set does not replace the value")
    },
    Clause("setting nil removes the value") { storage in
      try await storage.set("abc", for: text)
      try await storage.set(nil, for: text)
      try require(try await !storage.exists(text), "it still exists")
    },
    Clause("a removed value is absent, and removing it again is no error") { storage in
      try await storage.remove(number)
      try await storage.set(8, for: number)
      try await storage.remove(number)
      try await storage.remove(number)
      try require(try await storage.get(number) == 7, "it is not absent")
      try require(try await !storage.exists(number), "it exists")
    },
    Clause("one key does not touch another") { storage in
      try await storage.set("abc", for: text)
      try await storage.set("def", for: other)
      try await storage.remove(text)
      try require(try await storage.get(other) == "def", "removing a value touches another one")
    },
    Clause("an update sees the value, stores its result and returns it") { storage in
      try require(try await storage.update(number) { $0 += 1 } == 8, "it does not begin with the default")
      try require(try await storage.update(number) { $0 += 1 } == 9, "it does not see the stored value")
      try require(try await storage.get(number) == 9, "it does not store its result")
      try await storage.set("abc", for: text)
      try await storage.update(text) { $0 = nil }
      try require(try await !storage.exists(text), "an update to nil does not remove the value")
    },
    Clause("an update that throws changes nothing") { storage in
      try await storage.set(8, for: number)
      do {
        try await storage.update(number) { number in
          number = 9
          throw Refusal()
        }
        throw Violation(description: "the error of the change is not thrown")
      } catch is Refusal {}
      try require(try await storage.get(number) == 8, "it changes the value")
    },
    Clause("concurrent updates are all kept") { storage in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<50 { group.addTask { try await storage.update(number) { $0 += 1 } } }
        try await group.waitForAll()
      }
      try require(try await storage.get(number) == 57, "an update is lost")
    },
  ]
}
