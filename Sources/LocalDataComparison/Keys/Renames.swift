import LocalDataModel

/// New keys that may be keys of an earlier state under another name.
///
/// A key that is gone and a new one are taken for the same if the new one stores values of the same type in the same
/// container. If there are several, those belong together that agree in most of their fields.
struct Renames {
  /// The new keys that may be the one that is gone, the only one or none first.
  private var candidates: [String: [DeclaredKey]] = [:]
  private var pairs: [String: DeclaredKey] = [:]

  private struct Pair {
    var old: DeclaredKey
    var new: DeclaredKey
    var likeness: Int
  }

  /// - Parameter isGone: Returns true if nothing reads the values of a key today.
  init(_ baseline: Baseline, _ context: ComparisonContext, isGone: (DeclaredKey) -> Bool) {
    let old = baseline.state
    let today = context.today
    let gone = old.keys.values.filter { !$0.isLegacy && today.keys[$0.member] == nil && isGone($0) }
    guard !gone.isEmpty else { return }
    let unchanged = Set(baseline.unchanged)
    let new = today.keys.values.filter { key in
      !key.isLegacy && old.keys[key.member] == nil && !unchanged.contains(key.member)
        && !context.released.knows(key.form.address)
    }
    let check = ReadingCheck(oldTypes: old.types, newTypes: today.types)
    let all = gone.flatMap { key in
      new.filter {
        Self.isSame(key, $0, check) && !$0.mayHaveMoved(key) && !Self.isSuccessor($0, ofAnotherThan: key, context)
      }
      .map { Pair(old: key, new: $0, likeness: Self.likeness(key, $0)) }
    }
    for pair in all { candidates[pair.old.member, default: []].append(pair.new) }
    let ofOld = Best(all) { $0.old.member }
    let ofNew = Best(all) { $0.new.member }
    for pair in all where ofOld.isOnly(pair) && ofNew.isOnly(pair) { pairs[pair.old.member] = pair.new }
  }

  /// The key that another one was renamed to; nil if it is not known.
  subscript(member: String) -> DeclaredKey? { pairs[member] }

  /// The members that a key may have been renamed to.
  func members(for member: String) -> [String] { (candidates[member] ?? []).map(\.member).sorted() }

  /// Returns true if a migration says that a new key has the values of another one.
  private static func isSuccessor(
    _ new: DeclaredKey, ofAnotherThan old: DeclaredKey, _ context: ComparisonContext
  ) -> Bool {
    let order = SourceOrder(today: context.today, released: context.released)
    return new[.migration].elements.flatMap { order.addresses(of: $0, new) }.contains { address in
      context.released.owner(of: address).map { $0.member != old.member } ?? false
    }
  }

  private static func isSame(_ key: DeclaredKey, _ successor: DeclaredKey, _ check: ReadingCheck) -> Bool {
    guard key.domain == successor.domain, key.serializer == successor.serializer,
      key.form.writtenDates == successor.form.writtenDates,
      key.form.parameterTypes == successor.form.parameterTypes
    else { return false }
    return key.type == successor.type || check.typeObstacles(key.type, successor.type).isEmpty
  }

  /// The number of fields besides the names in which two keys agree. The description counts most: it says what the value is.
  private static func likeness(_ old: DeclaredKey, _ new: DeclaredKey) -> Int {
    ResolvedField.allCases.reduce(0) { sum, field in
      guard old[field] == new[field], field != .member, field != .name else { return sum }
      return sum + (field == .description ? ResolvedField.allCases.count : 1)
    }
  }

  /// The pairs of each key that are most alike.
  private struct Best {
    private var likeness: [String: (value: Int, count: Int)] = [:]
    private let member: (Pair) -> String

    init(_ pairs: [Pair], _ member: @escaping (Pair) -> String) {
      self.member = member
      for pair in pairs {
        let known = likeness[member(pair)] ?? (Int.min, 0)
        if pair.likeness > known.value {
          likeness[member(pair)] = (pair.likeness, 1)
        } else if pair.likeness == known.value {
          likeness[member(pair)] = (known.value, known.count + 1)
        }
      }
    }

    /// Returns true if no other pair of the key is as much alike.
    func isOnly(_ pair: Pair) -> Bool { likeness[member(pair)].map { $0 == (pair.likeness, 1) } ?? false }
  }
}
