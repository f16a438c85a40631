import LocalDataModel
import LocalDataVocabulary

/// The sources of a key's migration.
extension KeyComparison {
  /// Values that an earlier version left at a source may still wait there: a key is migrated when it is first used.
  func sourceFindings(_ key: DeclaredKey) -> [Finding] {
    let successor = successor(of: key)
    let isMoved = successor?.mayHaveMoved(key) == true
    var findings: [Finding] = []
    for step in key.steps {
      if case .inPlace(let domain, let security) = step.action {
        if let finding = unsecured(key, key.form.secured(security, in: domain)) { findings.append(finding) }
      }
      guard !isMoved, case .from(let sources) = step.action else { continue }
      let removed = RemovedStep(key: key, step: step, successor: successor, old: old, context: context)
      for source in sources {
        switch source {
        case .member(let member):
          if readers.isRead(member, like: step, isShared: isShared(member), for: successor) { continue }
          let form = (old.keys[member] ?? today.keys[member])?.form
          if let form, readers[form.address].contains(where: { isLive($0) }) || readers.isReserved(form) { continue }
          findings.append(removed.finding("'\(member)'", form))
        case .inline(let form):
          let candidates = readers[form.address].map { (reader: $0, obstacles: check.obstacles(form, $0.form)) }
          if candidates.contains(where: { $0.obstacles.isEmpty }) || readers.isReserved(form) { continue }
          // What a release wrote there is compared with what it wrote, and not with how a later one described it.
          if !candidates.isEmpty, context.released.isWritten(form.address) { continue }
          // An own key that stored something else there is compared by itself.
          if let other = candidates.first(where: { !$0.reader.isOwnPlace }) {
            findings += unreadable(key.storing(form), at: other.reader, other.obstacles)
          } else if candidates.isEmpty {
            findings.append(removed.finding(form.place, form))
          }
        }
      }
    }
    return findings
  }

  /// Returns the finding for values that an earlier version was to secure in place, and that nothing reads as they were
  /// before. Nil if they can be read, or if they differ in more than that: then the key's own values have a finding.
  private func unsecured(_ key: DeclaredKey, _ older: StoredForm) -> Finding? {
    let all = readers[older.address]
    let member = member(of: key)
    let own = all.filter { readers.reads($0, for: member) }
    if readers.isReserved(older) || (own.isEmpty && today.keys[member] != nil) { return nil }
    let candidates = (own.isEmpty ? all : own).map { (reader: $0, obstacles: check.obstacles(older, $0.form)) }
    guard let nearest = candidates.min(by: { $0.obstacles.count < $1.obstacles.count }),
      let obstacle = nearest.obstacles.first(where: { $0.kind == .security }),
      let owner = today.keys[nearest.reader.member]
    else { return nil }
    let answer = remedies(key.storing(older), at: nearest.reader, owner, nearest.obstacles).answer(to: obstacle)
    return Finding(
      rule: .migrationRemoved, subject: .key(owner.member),
      message: "secured '\(key.member)' in place, and values that are still stored with "
        + "`security: \(FieldValue(older.security))` are lost",
      help: answer.help, remedy: answer.remedy, keys: [key.member])
  }

  /// Returns true if several keys of the release read a legacy key.
  private func isShared(_ legacyKey: String) -> Bool {
    let unchanged = readers.users(of: legacyKey).filter(unchanged.contains)
    return old.keys.values.count { $0.reads(legacyKey) } + unchanged.count > 1
  }

  private func isLive(_ reader: Reader) -> Bool { !reader.isOwnPlace || today.keys[reader.member]?.isLegacy == false }
}
