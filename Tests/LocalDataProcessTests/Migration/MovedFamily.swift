#if os(Linux)
  import Foundation
  import LocalDataMaintenance
  import ProbeKeys
  import RuntimeTestSupport
  import Testing

  @testable import LocalData

  /// The members of a family, as a process that did not move them finds them.
  struct MovedFamily {
    let family: ProbeFamily
    let folder: String

    /// Shows that each member's value is at one address at least, whole, and that the next run moves what is left.
    func expectToSurvive(_ moment: String) async throws {
      for name in ProbeFamily.parameters {
        var found: [String?] = []
        for key in [family.plainKey(name), family.sourceKey(name)] { found.append(try await value(of: key)) }
        #expect(found.contains(family.value(name)), "\(moment): it is in neither place")
        #expect(found.allSatisfy { $0 == nil || $0 == family.value(name) }, "\(moment): there is something else")
      }
      let router = StorageRouter.probe(in: folder)
      try ProbeCatalog.register([], [family.family], on: router)
      let result = await router.migrations.migrateAll()
      #expect(result.failures.isEmpty, "\(moment)")
      #expect(try await router.migrations.plan().moves.isEmpty, "\(moment)")
      for name in ProbeFamily.parameters {
        #expect(try await StorageRouter.probe(in: folder).get(family.plainKey(name)) == family.value(name), "\(moment)")
        if family.source != nil {
          #expect(try await StorageRouter.probe(in: folder).exists(family.sourceKey(name)) == false, "\(moment)")
        }
        let phase = try await StorageRouter.probe(in: folder).phase(of: family.key(name))
        #expect(phase == .completed, "\(moment)")
      }
    }

    /// At one address it can be read with one of its policies alone.
    private func value(of key: StorageKey<String?>) async throws -> String? {
      guard family.source == nil else { return try await StorageRouter.probe(in: folder).get(key) }
      do throws(StorageError) { return try await StorageRouter.probe(in: folder).get(key) } catch {
        switch error.code {
        case .corrupted, .cannotDecode, .keyMaterialMissing, .authenticationFailed: return nil
        default: throw error
        }
      }
    }
  }
#endif
