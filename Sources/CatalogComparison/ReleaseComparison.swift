import CatalogModel

/// An earlier state, as far as it differs from today's.
package struct Baseline: Sendable {
  /// The keys that differ, and everything else.
  package var state: CatalogState
  /// The members of keys that are the same today.
  package var unchanged: [String]

  package init(state: CatalogState, unchanged: [String] = []) {
    self.state = state
    self.unchanged = unchanged
  }
}

/// The comparison of today's catalogs with earlier states: which values that were stored can no longer be read.
package struct ReleaseComparison {
  let today: CatalogState
  /// Catalogs that this run did not read, and that it can therefore say nothing about.
  private let isPartial: Bool

  /// - Parameter isPartial: Whether the run reads some of the catalogs only. Then a catalog that is not part of it is not
  ///   taken for one that was removed.
  package init(today: CatalogState, isPartial: Bool = false) {
    self.today = today
    self.isPartial = isPartial
  }

  /// The findings of all earlier states, in the order of the states. What several of them have in common is one finding.
  package func findings(against baselines: [Baseline]) -> [Finding] {
    guard baselines.contains(where: { !isSame($0) }) else { return [] }
    let (readers, released) = (ReaderIndex(today), ReleasedForms(baselines, today: today))
    var result: [Finding] = []
    var positions: [Finding.Identity: Int] = [:]
    for baseline in baselines {
      for var finding in findings(of: baseline, readers, released) {
        if let position = positions[finding.identity] {
          if result[position].titles.last != baseline.state.title {
            result[position].titles.append(baseline.state.title)
          }
          result[position].keys += finding.keys.filter { !result[position].keys.contains($0) }
        } else {
          finding.titles = [baseline.state.title]
          positions[finding.identity] = result.count
          result.append(finding)
        }
      }
    }
    return result
  }

  private func isSame(_ baseline: Baseline) -> Bool {
    baseline.state.keys.isEmpty && baseline.state.types == today.types && baseline.state.reserved.isEmpty
  }

  private func findings(of baseline: Baseline, _ readers: ReaderIndex, _ released: ReleasedForms) -> [Finding] {
    let check = KeyComparison(old: baseline.state, today: today, readers: readers, released: released)
    var findings: [Finding] = []
    for key in keysToCheck(baseline) {
      if isPartial, today.catalogs[key.catalog] == nil { continue }
      findings += check.findings(of: key)
    }
    return findings + baseline.state.reserved.compactMap(check.reuse)
  }

  /// Keys that differ, and those whose type is declared in another way now.
  private func keysToCheck(_ baseline: Baseline) -> [DeclaredKey] {
    var keys = Array(baseline.state.keys.values)
    if baseline.state.types != today.types {
      let others = baseline.unchanged.compactMap { today.keys[$0] }
      keys += others.filter { key in
        guard let type = TypeExpression(known: key.type) else { return true }
        return type.names.contains { today.types[$0] != nil } || key[.parameters] != .absent
      }
    }
    return keys.sorted { $0.member < $1.member }
  }
}
