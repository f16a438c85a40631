import Foundation
import LocalData
import LocalDataTesting
import LocalDataVocabulary

func temporaryFolder() -> URL {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("apple-standin-" + UUID().uuidString)
  do { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) } catch {
    fatalError("no temporary folder: \(error)")
  }
  return url
}

func newLocations(_ folder: URL = temporaryFolder()) -> StorageLocations {
  StorageLocations(StorageConfiguration(roots: StorageRoots(below: folder)), FileStorageConfiguration())
}

private func emptyStandard() {
  for key in UserDefaults.standard.dictionaryRepresentation().keys { UserDefaults.standard.removeObject(forKey: key) }
}

func preferencesChecks(_ checks: Checks) {
  var serial = 0
  for kind in ["standard", "suite", "group"] {
    // Linux's UserDefaults takes names that are canonically equivalent for one; Apple's compares them literally.
    // On watchOS no suite takes a value of 1 MiB.
    let left = ["no two names share a value"] + (StoragePlatform.current == .watch ? ["a large value survives"] : [])
    for clause in ValueStoreContract.clauses where !left.contains(where: clause.description.hasPrefix) {
      checks.check("preferences contract, \(kind): \(clause)") {
        serial += 1
        emptyStandard()
        let container: StorageContainer =
          switch kind {
          case "standard": .preferences(suite: nil)
          case "suite": .preferences(suite: "suite\(serial)")
          default: .groupPreferences(identifier: "group.test\(serial)")
          }
        try clause.check(UserDefaultsHelper(newLocations()), container)
      }
    }
  }

  checks.check("preferences: a property list value is seen by @AppStorage, and what @AppStorage writes is read") {
    let store = UserDefaultsHelper(newLocations())
    let list = StorageAttributes(isPropertyListValue: true, mayBePropertyListValue: true)
    let address = StorageAddress(container: .preferences(suite: nil), name: "theme")
    try store.write(try PropertyListObject.bytes(of: "dark"), to: address, list)
    try expect(UserDefaults.standard.string(forKey: "theme"), "dark", "what others see")
    UserDefaults.standard.set("light", forKey: "theme")
    let bytes = try store.read(address, list) ?? Data()
    try expect(try PropertyListObject.object(of: bytes) as? String, "light", "what is read")
  }
  checks.check("preferences: lists of any length, dictionaries and scalars are seen by others as what they are") {
    let store = UserDefaultsHelper(newLocations())
    let list = StorageAttributes(isPropertyListValue: true, mayBePropertyListValue: true)
    func address(_ name: String) -> StorageAddress {
      StorageAddress(container: .preferences(suite: "shapes"), name: name)
    }
    func write(_ object: Any, _ name: String) throws {
      try store.write(try PropertyListObject.bytes(of: object), to: address(name), list)
    }
    guard let others = UserDefaults(suiteName: "shapes") else { throw Broken("no suite") }
    for (index, numbers) in [[], [5], [1, 2]].enumerated() {
      try write(numbers, "list\(index)")
      try expect(others.array(forKey: "list\(index)") as? [Int], numbers, "array(forKey:)")
      try expect(others.object(forKey: "list\(index)") as? [Int], numbers, "object(forKey:)")
    }
    try write([[5]], "nested")
    try expect(others.array(forKey: "nested") as? [[Int]], [[5]], "a list of a list")
    try write(["text"], "texts")
    try expect(others.stringArray(forKey: "texts"), ["text"], "stringArray(forKey:)")
    try write([["a": 1]], "dictionaries")
    try expect(others.array(forKey: "dictionaries") as? [[String: Int]], [["a": 1]], "a list of a dictionary")
    try write(["a": 1], "dictionary")
    try expect(others.dictionary(forKey: "dictionary") as? [String: Int], ["a": 1], "dictionary(forKey:)")
    try write(7, "scalar")
    try expect(others.integer(forKey: "scalar"), 7, "integer(forKey:)")
    // What others store is read as what it is.
    others.set([8], forKey: "list0")
    let bytes = try store.read(address("list0"), list) ?? Data()
    try expect(try PropertyListObject.object(of: bytes) as? [Int], [8], "a list of another writer")
  }
  checks.check("preferences: a value that looks like an envelope is itself again") {
    let store = UserDefaultsHelper(newLocations())
    let list = StorageAttributes(isPropertyListValue: true, mayBePropertyListValue: true)
    let address = StorageAddress(container: .preferences(suite: "magic"), name: "a")
    for object in [EnvelopeHeader.magic, [EnvelopeHeader.magic], [[EnvelopeHeader.magic]]] as [Any] {
      let bytes = try PropertyListSerialization.data(fromPropertyList: [object], format: .binary, options: 0)
      try store.write(bytes, to: address, list)
      let read = try store.read(address, list) ?? Data()
      let found = try PropertyListSerialization.propertyList(from: read, format: nil) as? NSArray
      try require(found?.isEqual(to: [object]) == true, "\(object) was read as \(found ?? [])")
    }
  }
  checkThreads(checks)
}

private func checkThreads(_ checks: Checks) {
  checks.check("preferences: four threads update one value through two stores of one suite") {
    let folder = newLocations()
    let stores = [UserDefaultsHelper(folder), UserDefaultsHelper(folder)]
    let address = StorageAddress(container: .preferences(suite: "threads"), name: "count")
    let faults = Faults()
    onThreads(4) { thread in
      for _ in 0..<100 {
        do {
          try stores[thread % 2].update(address, StorageAttributes()) { old in
            .write(Data("\(number(in: old) + 1)".utf8))
          }
        } catch { faults.note(error) }
      }
    }
    try require(faults.all.isEmpty, "\(faults.all)")
    try expect(try stores[0].read(address, StorageAttributes()), Data("400".utf8), "count")
  }
}
