import Foundation
import StorageVocabulary

/// What follows once values are at their destinations, for one key or for many at once.
extension StorageRouter {
  /// Makes the destinations durable, notes that, removes the sources, and notes that.
  ///
  /// - Throws: The first failure. What could be finished is; the rest is tried again with the next use of its key.
  func finish(_ moves: [CommittedMove]) async throws(StorageError) {
    var failure: StorageError?
    func attempt(_ body: () async throws(StorageError) -> Void) async -> Bool {
      do throws(StorageError) {
        try await body()
        return true
      } catch {
        failure = failure ?? error
        return false
      }
    }
    for plan in moves.map(\.candidate.plan).withDistinctContainers {
      try await perform(plan) { (store) throws(StorageFault) in try store.makeDurable(plan.place.container) }
    }
    for moves in moves.byKeyset {
      try await append(moves.filter { !$0.removals.isEmpty }.map(\.entry), of: moves[0].candidate.plan)
    }
    var finished: [CommittedMove] = []
    for move in moves {
      guard !isEarly(move) else {
        settledPlaces.insert(move.candidate.plan.place)
        continue
      }
      if await attempt({ () throws(StorageError) in try await removeSources(of: move) }) { finished.append(move) }
    }
    let removed = finished.flatMap(\.removals) + finished.filter(\.removals.isEmpty).map(\.candidate.plan)
    for plan in removed.withDistinctContainers where !plan.isFoundation {
      let isPurged = await attempt { () throws(StorageError) in try await purge(plan) }
      if !isPurged { finished.removeAll { $0.touches(plan.place.container) } }
    }
    for moves in finished.byKeyset {
      try await append(moves.map { $0.entry.completed }, of: moves[0].candidate.plan)
      settledPlaces.formUnion(moves.map(\.candidate.plan.place))
    }
    if let failure { throw failure }
  }

  private func removeSources(of move: CommittedMove) async throws(StorageError) {
    for source in move.removals where !source.isFoundation { try await removeStored(source) }
  }
}

extension CommittedMove {
  fileprivate func touches(_ container: StorageContainer) -> Bool {
    candidate.plan.place.container == container || removals.contains { $0.place.container == container }
  }
}

extension [CommittedMove] {
  /// Groups that share a log, none of them empty.
  fileprivate var byKeyset: [[CommittedMove]] {
    [KeysetID: [CommittedMove]](grouping: self, by: \.candidate.plan.keyset).map(\.value)
  }
}

extension [KeyPlan] {
  /// One plan of each container.
  fileprivate var withDistinctContainers: [KeyPlan] {
    var seen: Set<StorageContainer> = []
    return filter { seen.insert($0.place.container).inserted }
  }
}
