import Foundation
import StorageVocabulary

/// What follows once values are at their destinations, for one key or for many at once.
extension StorageRouter {
  /// Makes the destinations durable, notes that, removes the sources, and notes that.
  ///
  /// What fails holds up nothing else; it is tried again with the next use of its key.
  func finish(_ moves: [CommittedMove]) async -> FinishedMoves {
    var open = FinishedMoves(moves: moves)
    for plan in moves.map(\.candidate.plan).withDistinctContainers {
      do throws(StorageError) { try await makeDurable(plan) } catch {
        open.drop(error) { $0.candidate.plan.place.container == plan.place.container }
      }
    }
    await note(&open) { $0.removals.isEmpty ? nil : $0.entry }
    let early = open.moves.filter { isEarly($0) }
    settledPlaces.formUnion(early.map(\.candidate.plan.place))
    open.moves.removeAll { isEarly($0) }
    for move in open.moves {
      do throws(StorageError) {
        for source in move.removals where !source.isFoundation { try await removeStored(source) }
      } catch {
        open.drop(error) { $0.candidate.id == move.candidate.id }
      }
    }
    for plan in open.moves.flatMap(\.tracks).withDistinctContainers {
      do throws(StorageError) { try await purge(plan) } catch {
        open.drop(error) { $0.tracks.contains { $0.place.container == plan.place.container } }
      }
    }
    await note(&open) { $0.entry.completed }
    settledPlaces.formUnion(open.moves.map(\.candidate.plan.place))
    open.moves += early
    return open
  }

  /// Notes how far moves have come, in the log of each.
  private func note(_ open: inout FinishedMoves, _ entry: (CommittedMove) -> MigrationEntry?) async {
    for moves in open.moves.byKeyset {
      let plan = moves[0].candidate.plan
      do throws(StorageError) { try await append(moves.compactMap(entry), of: plan) } catch {
        open.drop(error) { $0.candidate.plan.keyset == plan.keyset }
      }
    }
  }
}

/// Moves that came to their end, and what kept the others from it.
struct FinishedMoves: Sendable {
  var moves: [CommittedMove]
  private(set) var failures: [StorageError] = []

  init(moves: [CommittedMove]) { self.moves = moves }

  /// Gives up, for now, the moves that a failure concerns.
  fileprivate mutating func drop(_ error: StorageError, _ concerns: (CommittedMove) -> Bool) {
    failures.append(error)
    moves.removeAll(where: concerns)
  }
}

extension CommittedMove {
  /// Where a copy of what was removed may be left: with the sources, and, of what was secured in place, right there.
  fileprivate var tracks: [KeyPlan] {
    let isHere = removals.isEmpty || entry.record.outcome == .securedInPlace
    return removals.filter { !$0.isFoundation } + (isHere ? [candidate.plan] : [])
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
