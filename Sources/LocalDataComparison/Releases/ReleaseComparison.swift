import LocalDataModel

/// The comparison of today's catalogs with earlier states: which values that were stored can no longer be read.
package struct ReleaseComparison {
  let today: CatalogState
  private let unread: Set<String>

  /// - Parameter unread: The names of catalogs that other runs report on. Such a catalog is not taken for one that was
  ///   removed.
  package init(today: CatalogState, unread: Set<String> = []) {
    self.today = today
    self.unread = unread
  }

  /// The findings of all earlier states, in the order of the states. What several of them have in common is one finding.
  package func findings(against baselines: [Baseline]) -> [Finding] {
    let readers = ReaderIndex(today)
    guard baselines.contains(where: { !isSame($0) }) || readers.hasParts else { return [] }
    let released = ReleasedForms(baselines, today: today)
    let records = RecordComparison(baselines, today: today, unread: unread)
    var result: [Finding] = []
    var positions: [Finding.Identity: Int] = [:]
    for (release, baseline) in baselines.enumerated() {
      let context = ComparisonContext(today: today, readers: readers, released: released, release: release)
      let backups = today.backupFindings(against: baseline.state, besides: unread)
      for var finding in findings(of: baseline, context) + records.findings(of: baseline.state) + backups {
        if let position = positions[finding.identity] {
          if result[position].titles.last != baseline.state.title {
            result[position].titles.append(baseline.state.title)
          }
          result[position].keys += finding.keys.filter { !result[position].keys.contains($0) }
          // A newer release may know more about what mends it.
          let keepsMore = result[position].remedy.earlierFields.isEmpty && !finding.remedy.earlierFields.isEmpty
          if result[position].remedy.isEmpty || keepsMore {
            result[position].remedy = finding.remedy
            result[position].help = finding.help
          }
        } else {
          finding.titles = [baseline.state.title]
          positions[finding.identity] = result.count
          result.append(finding)
        }
      }
    }
    result += records.findings(ofAll: baselines, besides: result)
    return result + disordered(released, titles: baselines.map(\.state.title))
  }

  /// Keys whose migration reads an older source first. That is no difference to one release, but a matter of all of them.
  private func disordered(_ released: ReleasedForms, titles: [String]) -> [Finding] {
    let order = SourceOrder(today: today, released: released)
    return today.keys.values.filter { $0[.migration].elements.count > 1 && !unread.contains($0.catalog) }.sorted {
      $0.member < $1.member
    }
    .compactMap { order.finding(of: $0, titles: titles) }
  }

  private func isUnread(_ subject: Finding.Subject) -> Bool {
    guard case .key(let member) = subject, let key = today.keys[member] else { return false }
    return unread.contains(key.catalog)
  }

  private func isSame(_ baseline: Baseline) -> Bool {
    baseline.state.keys.isEmpty && baseline.state.types == today.types && baseline.state.reserved.isEmpty
      && baseline.state.databases == today.databases && baseline.state.records == today.records
      && baseline.state.backups == today.backups
  }

  private func findings(of baseline: Baseline, _ context: ComparisonContext) -> [Finding] {
    let check = KeyComparison(baseline, context)
    var findings: [Finding] = []
    for key in keysToCheck(baseline) {
      if unread.contains(key.catalog) { continue }
      findings += check.findings(of: key)
    }
    findings += AddedParts(baseline, context).findings().filter { !isUnread($0.subject) }
    return findings + baseline.state.reserved.compactMap(check.reuse).filter { !isUnread($0.subject) }
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
