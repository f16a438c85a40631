#if os(Linux)
  import Foundation
  import ProbeKeys
  import RuntimeTestSupport
  import Testing

  @testable import LocalData

  /// A value, as a process that did not move it finds it.
  struct MovedValue {
    let move: ProbeMove
    let folder: String
    /// Which of several.
    var index = 0

    /// Shows that the value is in its new place or in its old one, whole; that it can be read; and that then it is in its
    /// new place alone, and noted so.
    func expectToSurvive(_ moment: String) async throws {
      let router = StorageRouter.probe(in: folder)
      let new = try await value(of: move.plainKey(index), router)
      var old: [String?] = []
      for key in move.sourceKeys(index) { old.append(try await value(of: key, router)) }
      #expect(new == move.value(index) || old == move.parts(index), "\(moment): it is in neither place")
      #expect(new == nil || new == move.value(index), "\(moment): there is something else")
      for (found, part) in zip(old, move.parts(index)) {
        #expect(found == nil || found == part, "\(moment): there is something else")
      }
      let read = try await router.get(move.key(index))
      #expect(read == move.value(index), "\(moment): migrating again gives something else")
      try await expectToBeMoved(moment)
    }

    /// Shows that the value is in its new place alone, and noted so.
    func expectToBeMoved(_ moment: String) async throws {
      let router = StorageRouter.probe(in: folder)
      let stored = try await router.get(move.plainKey(index))
      #expect(stored == move.value(index), "\(moment): it is not in its new place")
      let phase = try await router.phase(of: move.key(index))
      #expect(phase == .completed, "\(moment): it is noted as \(phase.map(\.rawValue) ?? "nothing")")
      try await expectNoSource(moment)
    }

    func expectNoSource(_ moment: String) async throws {
      guard !move.isInPlace else { return }
      let router = StorageRouter.probe(in: folder)
      for key in move.sourceKeys(index) {
        let isLeft = try await router.exists(key)
        #expect(!isLeft, "\(moment): a source is left")
      }
    }

    /// Shows that the value is absent or complete, and that it does not reappear after it is removed.
    func expectToBeRemovable(_ moment: String) async throws {
      let router = StorageRouter.probe(in: folder)
      let found = try await router.get(move.key(index))
      #expect(found == nil || found == move.value(index), "\(moment): there is something else")
      try await router.remove(move.key(index))
      let left = try await StorageRouter.probe(in: folder).get(move.key(index))
      #expect(left == nil, "\(moment): it has come back")
      try await expectNoSource(moment)
    }

    /// The outcome of every entry of the log that completes the migration. The history would leave repetitions out.
    func completedLines() throws -> [MigrationEvent.Outcome] {
      let locations = StorageLocations(
        StorageConfiguration(applicationName: "Probe", roots: StorageRoots(below: URL(fileURLWithPath: folder))),
        FileStorageConfiguration())
      let keyset: KeysetID = "\(move.destination)".hasPrefix("group") ? .group(identifier: "group.probe") : .app
      let log = MigrationLog(in: try locations.migrationLog(of: keyset))
      return try log.entries().filter { $0.phase == .completed }.compactMap(\.event?.outcome)
    }

    /// In its own place it can be read with one of its policies alone.
    private func value(of key: StorageKey<String?>, _ router: StorageRouter) async throws -> String? {
      guard move.isInPlace else { return try await router.get(key) }
      do throws(StorageError) { return try await router.get(key) } catch {
        switch error.code {
        case .corrupted, .cannotDecode, .keyMaterialMissing, .authenticationFailed: return nil
        default: throw error
        }
      }
    }
  }

  extension StorageRouter {
    /// Returns the phase of a migration that the log records.
    func phase<Value>(of key: StorageKey<Value>) async throws -> MigrationEntry.Phase? {
      let key = AnyStorageKey(key)
      let plan = try await plan(for: key)
      return try values(for: plan).services.migrationLog(plan.keyset).lastEntries()[AddressID(plan)]?.phase
    }
  }
#endif
