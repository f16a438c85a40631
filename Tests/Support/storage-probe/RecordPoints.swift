import LocalData
import LocalDataRecords
import ProbeKeys

/// Two folders whose points sum up to zero in every state of the database. The router has registered the first release.
struct RecordPoints {
  let router: StorageRouter

  struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  /// Stores the folders if no process has done it.
  func begin() async throws {
    try await router.transaction(in: ProbeFolder.Database.self) { probe in
      for id in ["a", "b"] where try probe.folders.fetch(id: id) == nil {
        try probe.folders.insert(ProbeFolder(id: id, text: id))
      }
    }
  }

  /// Moves points from one folder to the other.
  func move() async throws {
    try await router.transaction(in: ProbeFolder.Database.self) { probe in
      let points = Int.random(in: 1...9)
      try probe.folders.update(id: "a") { $0.count -= points }
      try probe.folders.update(id: "b") { $0.count += points }
    }
  }

  /// Throws an error if the points do not sum up to zero.
  func check() async throws {
    let sum = try await router.read(ProbeFolder.Database.self) { probe in
      try probe.folders.fetchAll().reduce(0) { $0 + $1.count }
    }
    guard sum == 0 else { throw Broken(description: "the points sum up to \(sum)") }
  }

  /// Deletes a page with an encrypted field, which copies the log into the file.
  ///
  /// - Parameter id: The number of the page, which no other process uses.
  func checkpoint(_ id: Int) async throws {
    try await router.pages.save(ProbePage(id: id, folder: "a", secret: "a secret"))
    try await router.pages.delete(id: id)
  }

  /// Throws an error if a page of the file is damaged.
  func checkIntegrity() async throws {
    let report = try await router.read(ProbeFolder.Database.self) { probe in
      try probe.rows("SELECT integrity_check FROM pragma_integrity_check")
    }
    guard report == [[.text("ok")]] else { throw Broken(description: "the file is damaged: \(report)") }
  }
}
