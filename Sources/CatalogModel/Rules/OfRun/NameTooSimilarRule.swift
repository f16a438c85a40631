import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let nameTooSimilar = Rule(
    "name-too-similar", .clarity, .warning,
    "Two keys of one type have names that differ in more than case, a separator, a plural or one letter.",
    why: "The compiler does not notice if one is used for the other.",
    bad: .keys(
      "receiverName: {type: String, description: Who gets the next parcel.}\n"
        + "recieverName: {type: String, description: Who got the last parcel.}"),
    good: .keys(
      "receiverName: {type: String, description: Who gets the next parcel.}\n"
        + "lastReceiverName: {type: String, description: Who got the last parcel.}"))
}

/// Checks that names within a catalog are not easily mistaken for each other.
///
/// Legacy and deprecated keys keep the names that they have. Names of different types are not compared, because the
/// compiler tells the keys apart.
struct NameTooSimilarRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    for document in run.documents {
      let keys = document.keys
      var reported = Set<Int>()
      let pairs = SimilarNames.pairs(keys.indices) {
        keys[$0].resolved.descriptor.member
      } where: {
        Self.areComparable(keys[$0], keys[$1])
      }
      for pair in pairs {
        report(keys[pair.earlier], keys[pair.later], pair.later, isStored: false, &reported, &findings)
      }
      checkStoredNames(keys, &reported, &findings)
    }
  }

  private static func areComparable(_ first: DecodedKey, _ second: DecodedKey) -> Bool {
    [first, second].allSatisfy {
      !$0.resolved.descriptor.isLegacy && $0.resolved.deprecation == nil
        && $0.isSound(KeyFieldSet(.type, .legacy, .deprecated))
    } && first.resolved.type == second.resolved.type
  }

  /// Stored names that are written in another way than their members.
  private func checkStoredNames(_ keys: [DecodedKey], _ reported: inout Set<Int>, _ findings: inout Findings) {
    var groups: [StoredPlace.Container: [Int]] = [:]
    for (index, key) in keys.enumerated() where key.own.contains(.name) {
      let resolved = key.resolved
      guard !NameWords.haveSameLetters(resolved.descriptor.name, resolved.descriptor.member),
        resolved.parameters.isEmpty, key.hasPlace
      else { continue }
      groups[StoredPlace.Container(resolved.descriptor.domain), default: []].append(index)
    }
    let pairs = groups.values.flatMap { group in
      SimilarNames.pairs(group.indices) {
        keys[group[$0]].resolved.descriptor.name
      } where: {
        // Keys of one place are the finding of another rule.
        Self.areComparable(keys[group[$0]], keys[group[$1]]) && keys[group[$0]].place != keys[group[$1]].place
      }
      .map { (earlier: group[$0.earlier], later: group[$0.later]) }
    }
    for pair in pairs.sorted(by: { $0.later < $1.later }) {
      report(keys[pair.earlier], keys[pair.later], pair.later, isStored: true, &reported, &findings)
    }
  }

  private func report(
    _ earlier: DecodedKey, _ later: DecodedKey, _ index: Int, isStored: Bool, _ reported: inout Set<Int>,
    _ findings: inout Findings
  ) {
    guard reported.insert(index).inserted else { return }
    func name(_ key: DecodedKey) -> String {
      isStored ? key.resolved.descriptor.name : key.resolved.descriptor.member
    }
    findings.about(later) {
      $0.report(
        .nameTooSimilar,
        "the \(isStored ? "stored names" : "names") '\(name(later))' and '\(name(earlier))' are easily mistaken for each "
          + "other",
        at: isStored ? later.body.value(of: KeyField.name.text) ?? later.member : later.member,
        help: isStored
          ? "choose a stored name that differs in a word; if a release has stored values, keep the name and allow the finding"
          : "rename one of the two so that they differ in a word; `name: \(later.resolved.descriptor.name)` keeps its "
            + "stored name",
        notes: [.init("the other key", at: earlier.member.place)])
    }
  }
}
