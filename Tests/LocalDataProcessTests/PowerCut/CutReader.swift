#if os(Linux)
  import Foundation
  @_spi(Generated) import LocalData
  import LocalDataMaintenance
  @_spi(Generated) import LocalDataRecords
  import ProbeKeys
  import RuntimeTestSupport

  /// The values that the next launch of an app reads in a state.
  struct CutOutcome {
    var texts: [String: String] = [:]
    var errors: [String] = []

    /// Reads everything that a run has stored.
    ///
    /// - Parameter isWriting: A Boolean value that indicates whether another value is stored in each place after that.
    init(_ run: CutRun, in folder: String, isWriting: Bool) async {
      let router = StorageRouter.probe(in: folder)
      for cell in run.cells {
        await read("\(cell)") { try await router.get(cell.key).map(CutText.word) }
      }
      for counter in run.counters { await read("\(counter)") { try await router.get(counter.key) } }
      for address in run.held { await readHeld(address, folder) }
      for (move, index) in run.moves { await read(move, index, folder) }
      switch run.kind {
      case .records, .processes: await readRows(folder)
      case .merges where run.number % 2 == 1:
        await readRows(folder)
        await read("merge") {
          _ = try await ProbeRecordChange.merge.rows(on: .probe(in: folder))
          return nil
        }
      case .merges: await readTrips(folder)
      case .moves: await readCards(folder)
      case .files, .items, .migrations, .rotations: break
      }
      if isWriting { await write(run, folder) }
    }

    private mutating func write(_ run: CutRun, _ folder: String) async {
      let router = StorageRouter.probe(in: folder)
      do {
        for address in Set(run.cells.map(\.address)) {
          let key = CutCell(address, 99).key
          try await router.set("new", for: key)
          if try await router.get(key) != "new" { errors.append("\(address) does not keep a new value") }
        }
        if run.kind == .moves { try await router.cards(ProbeWallet.Three.self).save(ProbeCard("new")) }
        guard run.kind == .records || run.kind == .processes else { return }
        try await ProbeRecordChange.firstRelease(on: router).folders.save(ProbeFolder(id: "new", text: "new"))
      } catch { errors.append("a new value cannot be stored: \(error)") }
    }

    private mutating func read(_ name: String, _ body: () async throws -> String?) async {
      do { texts[name] = try await body() } catch { errors.append("\(name) cannot be read: \(error)") }
    }

    /// Reads a text that may have been moved aside.
    private mutating func readHeld(_ address: ProbeAddress, _ folder: String) async {
      let key = CutCell.number(at: address).spoiling
      await read("held \(address)") {
        let router = StorageRouter.probe(in: folder)
        try ProbeCatalog.register(CutCell.spoiled, on: router)
        if let stored = try await router.get(key) { return stored }
        for copy in try await router.maintenance.quarantined() { try await router.maintenance.restore(copy) }
        return try await router.get(key)
      }
    }

    private mutating func read(_ move: ProbeMove, _ index: Int, _ folder: String) async {
      await read("entry \(index)") {
        let phase = try await StorageRouter.probe(in: folder).phase(of: move.key(index))
        return phase == .completed ? "completed" : nil
      }
      await read("moved \(index)") {
        let router = StorageRouter.probe(in: folder)
        if !move.isInPlace {
          let destination = try await router.get(move.plainKey(index))
          for (key, part) in zip(move.sourceKeys(index), move.parts(index)) {
            guard let source = try await router.get(key) else { continue }
            if source != part { return "the source is broken: \(source.prefix(40))" }
          }
          if let destination, destination != move.value(index) { return "the destination is \(destination.prefix(40))" }
        }
        return try await router.get(move.key(index))
      }
    }

    private mutating func readRows(_ folder: String) async {
      do {
        let router = try ProbeRecordChange.firstRelease(on: .probe(in: folder))
        for row in try await router.folders.fetchAll() { texts["folder \(row.id)"] = CutText.word(row.text) }
        for row in try await router.pages.fetchAll() {
          texts["page \(row.id)"] = "\(row.folder) \(CutText.word(row.secret))"
        }
      } catch { errors.append("the rows cannot be read: \(error)") }
    }

    private mutating func readTrips(_ folder: String) async {
      await read("trips") {
        let router = try ProbeTrip.router(in: folder, ProbeTrip.After.self)
        let trips = try await router.records(ProbeTrip.After.self).fetchAll()
        if trips.isEmpty { return nil }
        let isNew =
          trips.sorted { $0.id < $1.id }.map { [$0.id, $0.guide, "\($0.length)", $0.note] }
          == ProbeTrip.new.map { [$0.id, $0.guide, "\($0.length)", $0.note] }
        return isNew ? "new" : "\(trips)"
      }
    }

    private mutating func readCards(_ folder: String) async {
      do {
        let cards = try StorageRouter.probe(in: folder).cards(ProbeWallet.Three.self)
        for card in try await cards.where({ $0.issuer == "city library" }).fetchAll() {
          texts["card \(card.id)"] = card.secret == "open sesame" ? "whole" : card.secret
        }
      } catch { errors.append("the cards cannot be read: \(error)") }
    }
  }
#endif
