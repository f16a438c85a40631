import LocalDataSyntax
import LocalDataVocabulary

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

extension Rule {
  static let unknownMember = Rule(
    "unknown-member", .names, "`renamedTo` names another key.",
    why: "The compiler offers that name as the replacement of the deprecated key.",
    bad: .keys(
      "look: {type: String, deprecated: {reason: Use theme., renamedTo: thme}, description: What the app looks like.}\n"
        + "theme: {type: String, description: The colour scheme the user chose.}"),
    good: .keys(
      "look: {type: String, deprecated: {reason: Use theme., renamedTo: theme}, "
        + "description: What the app looks like.}\n"
        + "theme: {type: String, description: The colour scheme the user chose.}"))
}

/// Checks that `renamedTo` names a key of the run.
struct RenamedMemberRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var members: Set<String>?
    var suggestions = Suggestions()
    for document in run.documents {
      for key in document.keys {
        guard let name = key.resolved.deprecation?.renamedTo else { continue }
        let known = members ?? Set(run.documents.flatMap { $0.keys.map(\.resolved.descriptor.member) })
        members = known
        let node = key.body.value(of: KeyField.deprecated.text)?.value(of: "renamedTo") ?? key.member
        if name == key.resolved.descriptor.member {
          findings.about(key) {
            $0.report(
              .unknownMember, "'\(name)' cannot be renamed to itself", at: node, help: "name the key that replaces it")
          }
        } else if !known.contains(name) {
          let suggestion = suggestions.suggestion(for: name, among: known.sorted())
          findings.about(key) {
            $0.report(
              .unknownMember, "'\(name)' is not a key\(suggestion)",
              at: node, help: "name a key of a catalog of this run")
          }
        }
      }
    }
  }
}

/// Checks that the Swift names of a key are looked up where the app declares them. The emitted code is in an extension of
/// `StorageKey`, so a name that begins with the member of a key would be that key.
struct EmittedPathRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var members: Set<String>?
    for document in run.documents {
      for key in document.keys {
        for (field, name) in Self.names(of: key.resolved) {
          let first = name.text.prefix { $0 != "." }
          // Types begin with an upper-case letter, and members with a lower-case one.
          guard first.utf8.first.map(Identifier.isLower) == true else { continue }
          let known = members ?? Set(run.documents.flatMap { $0.keys.map(\.resolved.descriptor.member) })
          members = known
          guard known.contains(String(first)) else { continue }
          findings.about(key) {
            $0.report(
              .reservedIdentifier, "'\(name.text)' begins with the name of the key '\(first)'",
              at: key.node(of: field, defaults: document.defaults),
              help: "declare it in another type, as in `TokenUpgrade.apply`")
          }
        }
      }
    }
  }

  private static func names(of key: ResolvedKey) -> [(KeyField, SwiftName)] {
    var names = key.upgrades.map { (KeyField.upgrade, $0.transform) }
    names += key.reads.compactMap { form in form.transform.map { (.reads, $0) } }
    if let watch = key.watchRepresentation { names.append((.watch, watch.transform)) }
    if let serializer = key.customSerializer { names.append((.serializer, serializer)) }
    if case .swift(let name)? = key.defaultValue { names.append((.default, name)) }
    return names
  }
}
