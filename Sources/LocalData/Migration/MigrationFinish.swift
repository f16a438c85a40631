import Foundation
import StorageVocabulary

/// The end of migrations whose values are stored at their destinations, for one key or for many at once.
extension Migrator {
  /// Makes the destinations durable, records that, removes the sources, and records that.
  ///
  /// A failure of one key does not keep the others from being finished. What fails is tried again with the next use of
  /// its key.
  func finish(_ moves: [CommittedMove], isolation: isolated (any Actor)? = #isolation) async -> FinishedMoves {
    var open = FinishedMoves(moves: moves)
    for plan in moves.filter(\.hasValue).map(\.candidate.plan).withDistinctContainers {
      do throws(StorageError) { try await values.makeDurable(plan) } catch {
        open.drop(error) { $0.candidate.plan.place.container == plan.place.container }
      }
    }
    await record(&open) { move in move.removals.isEmpty ? [] : move.entries }
    let waiting = open.moves.filter(\.mustWait)
    for move in waiting { cache.settle(move.candidate.plan.place) }
    open.moves.removeAll(where: \.mustWait)
    for move in open.moves {
      do throws(StorageError) {
        for removal in move.removals where !removal.plan.isFoundation { try await remove(removal) }
      } catch {
        open.drop(error) { $0.candidate.id == move.candidate.id }
      }
    }
    for plan in open.moves.flatMap(\.erased).withDistinctContainers {
      do throws(StorageError) { try await values.purge(plan) } catch {
        open.drop(error) { $0.erased.contains { $0.place.container == plan.place.container } }
      }
    }
    await record(&open) { move in (move.entries + move.resumed).map { $0.at(.completed) } }
    for move in open.moves where move.isSettled { cache.settle(move.candidate.plan.place) }
    open.moves += waiting
    return open
  }

  /// Removes a source. One that holds other bytes than those that were compared stays.
  private func remove(
    _ removal: CommittedMove.Removal, isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) {
    guard let seen = removal.seen else { return try await values.removeStored(removal.plan) }
    guard try await values.isStored(removal.plan) else { return }
    _ = try await values.removeStored(seen, removal.plan)
  }

  /// Records how far moves have come, in the log of each.
  private func record(
    _ open: inout FinishedMoves, isolation: isolated (any Actor)? = #isolation,
    _ entries: (CommittedMove) -> [MigrationEntry]
  ) async {
    for moves in open.moves.byKeyset {
      let plan = moves[0].candidate.plan
      do throws(StorageError) { try await record(moves.flatMap(entries), of: plan) } catch {
        open.drop(error) { $0.candidate.plan.keyset == plan.keyset }
      }
    }
  }
}

/// Moves that are finished, and the failures of the others.
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
  /// A Boolean value that indicates whether the destination has a value.
  fileprivate var hasValue: Bool { (entries + resumed).contains { $0.record?.outcome != .removed } }

  /// A Boolean value that indicates whether nothing can be left of the key's migration.
  fileprivate var isSettled: Bool { hasValue && isWhole }

  /// Addresses whose containers may still have copies: those of the sources, and the key's own if its value was
  /// encrypted in place or written by a custom migration.
  fileprivate var erased: [KeyPlan] {
    let isHere = removals.isEmpty || isSecuredInPlace
    return removals.map(\.plan).filter { !$0.isFoundation } + (isHere ? [candidate.plan] : [])
  }
}

extension [CommittedMove] {
  /// Groups that share a log. None of them is empty.
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
