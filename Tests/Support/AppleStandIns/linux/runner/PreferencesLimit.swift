import Foundation
import LocalData
import LocalDataVocabulary

private func address(_ index: Int, in suite: String) -> StorageAddress {
  StorageAddress(container: .preferences(suite: suite), name: "value\(index)")
}

private func value(_ index: Int, _ count: Int = 100 << 10) -> Data { Data(repeating: UInt8(index), count: count) }

/// Checks that no value is set that UserDefaults would lose, or for which watchOS would end the app.
func preferencesLimitChecks(_ checks: Checks) async {
  let (plain, list) = (StorageAttributes(), StorageAttributes(isPropertyListValue: true, mayBePropertyListValue: true))

  /// Stores values until the suite is full, and returns their number.
  func fill(_ suite: String, _ store: UserDefaultsHelper) throws -> Int {
    for index in 0..<50 {
      let fault = fault { () throws(StorageProblem) in
        try store.write(value(index), to: address(index, in: suite), plain)
      }
      guard let fault else { continue }
      try expect(fault, .preferencesFull, "fault of write \(index)")
      return index
    }
    throw Broken("the suite takes any number of values")
  }

  checks.check("preferences: a value that UserDefaults would lose is refused, and all others are kept") {
    let store = UserDefaultsHelper(newLocations())
    let count = try fill("full", store)
    try require(count * (100 << 10) > FakeDefaultsLimit.size / 4 * 3, "\(count) values fill a suite")
    try store.write(value(0), to: address(0, in: "full"), plain)
    try store.write(value(50, 100), to: address(50, in: "full"), plain)
    for index in 0..<count {
      try expect(try store.read(address(index, in: "full"), plain), value(index), "value \(index)")
    }
    try expect(try store.read(address(50, in: "full"), plain), value(50, 100), "a small value")
    try expect(try store.exists(address(count, in: "full"), plain), false, "the refused value exists")
    try store.remove(address(1, in: "full"), plain)
    try store.write(value(count), to: address(count, in: "full"), plain)
    try expect(try store.read(address(count, in: "full"), plain), value(count), "after a removal")
  }
  checks.check("preferences: values that other code has set count, and so do texts and lists") {
    let store = UserDefaultsHelper(newLocations())
    guard let others = UserDefaults(suiteName: "fullOfOthers") else { throw Broken("no suite") }
    try store.write(value(0, 1), to: address(0, in: "fullOfOthers"), plain)
    others.set(Data(count: FakeDefaultsLimit.size / 2), forKey: "theirs")
    let text = String(repeating: "é", count: FakeDefaultsLimit.size / 4)
    let bytes = try PropertyListObject.bytes(of: ["texts": [text]])
    let found = fault { () throws(StorageProblem) in try store.write(bytes, to: address(1, in: "fullOfOthers"), list) }
    try expect(found, .preferencesFull, "fault")
    try expect(others.data(forKey: "theirs")?.count, FakeDefaultsLimit.size / 2, "theirs")
    // A value that makes the suite smaller is stored, however large the suite is.
    let more = Data(count: FakeDefaultsLimit.size / 2 - (40 << 10))
    others.set(more, forKey: "value2")
    try store.write(value(2, 30), to: address(2, in: "fullOfOthers"), plain)
    try expect(try store.read(address(2, in: "fullOfOthers"), plain), value(2, 30), "a smaller value")
  }
  await checks.check("preferences: a transaction that UserDefaults would lose in part changes nothing") {
    let count = try fill("fullTogether", UserDefaultsHelper(newLocations()))
    let router = StorageRouter(
      configuration: StorageConfiguration(applicationName: "limits", roots: StorageRoots(below: temporaryFolder())))
    func key(_ index: Int) -> StorageKey<Data?> {
      StorageKey<Data?>(
        name: "value\(index)", domain: .userDefaults(suite: "fullTogether"), security: .none, serializer: .data,
        owner: "o", description: "d")
    }
    let (first, next) = (key(0), key(count))
    for call in [
      { try await router.set(value(101), for: next) },
      {
        try await router.transaction { transaction in
          try await transaction.set(value(100), for: first)
          try await transaction.set(value(101), for: next)
        }
      },
    ] as [() async throws -> Void] {
      try await expectError("preferencesFull", "call", call)
      try expect(try await router.get(first), value(0), "the first value")
      try expect(try await router.exists(next), false, "the next value exists")
    }
  }
}
