import Foundation
import StorageVocabulary

/// What follows once values are at their destinations, for one key or for many at once.
extension StorageRouter {
  /// Makes the destinations durable, notes that, removes the sources, and notes that.
  ///
  /// - Throws: The first failure. What could be finished is; the rest is tried again with the next use of its key.
  func finish(_ moves: [CommittedMove]) async throws(StorageError) {
    for plan in moves.map(\.candidate.plan).withDistinctContainers { try await makeDurable(plan) }
    for moves in moves.byKeyset {
      try await append(moves.filter { !$0.removals.isEmpty }.map(\.entry), of: moves[0].candidate.plan)
    }
    let (early, due) = (moves.filter { isEarly($0) }, moves.filter { !isEarly($0) })
    settledPlaces.formUnion(early.map(\.candidate.plan.place))
    var (finished, failure) = await removingSources(of: due)
    for plan in finished.flatMap(\.tracks).withDistinctContainers where !plan.isFoundation {
      do throws(StorageError) {
        try await purge(plan)
      } catch {
        failure = failure ?? error
        finished.removeAll { $0.tracks.contains { $0.place.container == plan.place.container } }
      }
    }
    for moves in finished.byKeyset {
      try await append(moves.map(\.entry.completed), of: moves[0].candidate.plan)
      settledPlaces.formUnion(moves.map(\.candidate.plan.place))
    }
    if let failure { throw failure }
  }

  /// The moves whose sources are gone, and the first failure of another.
  private func removingSources(of moves: [CommittedMove]) async -> ([CommittedMove], StorageError?) {
    var (finished, failure): ([CommittedMove], StorageError?) = ([], nil)
    for move in moves {
      do throws(StorageError) {
        for source in move.removals where !source.isFoundation { try await removeStored(source) }
        finished.append(move)
      } catch {
        failure = failure ?? error
      }
    }
    return (finished, failure)
  }
}

extension CommittedMove {
  /// Where a copy of what was removed may be left: with the sources, or, of what was secured in place, right there.
  fileprivate var tracks: [KeyPlan] { removals.isEmpty ? [candidate.plan] : removals }
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
