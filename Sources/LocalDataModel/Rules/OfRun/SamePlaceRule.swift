import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let samePlace = Rule(
    "same-place", .places, "Two keys are not stored in the same place.",
    why: "They would overwrite each other's value.",
    bad: .keys(
      "theme: {type: String, name: look, description: The colour scheme the user chose.}\n"
        + "contrast: {type: String, name: look, description: How strong the colours are.}"),
    good: .keys(
      "theme: {type: String, name: look, description: The colour scheme the user chose.}\n"
        + "contrast: {type: String, description: How strong the colours are.}"))

  static let reservedName = Rule(
    "reserved-name", .places, "No key or record has a reserved name.",
    why: "What an earlier release stored under that name would be read as a value of the new key or record.",
    bad: .catalog(
      "\(Example.defaults)keys:\n  session: {type: String, description: What the server knows the user by.}\n"
        + "reserved: [{name: session, domain: userDefaults}]"),
    good: .catalog(
      "\(Example.defaults)keys:\n  session: {type: String, name: session_2, "
        + "description: What the server knows the user by.}\nreserved: [{name: session, domain: userDefaults}]"))
}

/// Checks that no two keys are stored in one place, and no key in a reserved one.
struct SamePlaceRule: RunRule {
  private struct Claim {
    var name: String
    var node: SyntaxNode
    /// The key, or `nil` for a reserved name.
    var key: DecodedKey?

    var member: String { key?.resolved.descriptor.member ?? name }
  }

  func check(_ run: CatalogRun, _ findings: inout Findings) {
    let shared = Self.sharedHashes(run)
    guard !shared.isEmpty else { return }
    report(run, shared, &findings)
  }

  /// The hashes of places that more than one key or reserved name has. In most runs there are none.
  private static func sharedHashes(_ run: CatalogRun) -> Set<Int> {
    var hashes: [Int] = []
    hashes.reserveCapacity(run.documents.reduce(0) { $0 + $1.keys.count + $1.reserved.count })
    for document in run.documents {
      for reserved in document.reserved { hashes.append(reserved.place.hashValue) }
      for key in document.keys where key.hasPlace { hashes.append(key.placeHash) }
    }
    hashes.sort()
    return Set(zip(hashes, hashes.dropFirst()).lazy.filter { $0 == $1 }.map(\.0))
  }

  /// The second pass, over a run that has findings: which claims share a place.
  private func report(_ run: CatalogRun, _ shared: Set<Int>, _ findings: inout Findings) {
    var first: [StoredPlace: Claim] = [:]
    for document in run.documents {
      for reserved in document.reserved where shared.contains(reserved.place.hashValue) {
        let claim = Claim(
          name: reserved.resolved.name, node: reserved.node, key: nil)
        add(claim, reserved.place, &first, &findings)
      }
    }
    for document in run.documents {
      for key in document.keys where key.hasPlace && shared.contains(key.placeHash) {
        let descriptor = key.resolved.descriptor
        let claim = Claim(
          name: descriptor.name, node: key.body.value(of: KeyField.name.text) ?? key.member, key: key)
        add(claim, key.place, &first, &findings)
      }
    }
  }

  private static func reservedText(_ claim: Claim) -> String {
    let name = claim.name.isEmpty ? "the item without an account" : "'\(claim.name)'"
    if claim.key == nil { return "\(name) is reserved twice" }
    return claim.name.isEmpty ? "\(name) is reserved" : "the stored name \(name) is reserved"
  }

  private func add(
    _ claim: Claim, _ place: StoredPlace, _ first: inout [StoredPlace: Claim], _ findings: inout Findings
  ) {
    guard let earlier = first[place] else {
      first[place] = claim
      return
    }
    // A key that is declared twice is the finding of another rule.
    if let key = claim.key, earlier.key?.resolved.descriptor.member == key.resolved.descriptor.member { return }
    findings.about(claim.key) { report(claim, earlier, &$0) }
  }

  private func report(_ claim: Claim, _ earlier: Claim, _ findings: inout Findings) {
    if earlier.key == nil {
      findings.report(
        .reservedName,
        Self.reservedText(claim),
        at: claim.node, help: claim.key == nil ? "remove one of the two" : "choose a name that was never used",
        notes: [.init("reserved here", at: earlier.node.place)])
      return
    }
    let sameBytes = Array(earlier.name.utf8) == Array(claim.name.utf8)
    findings.report(
      .samePlace,
      sameBytes
        ? "'\(earlier.member)' and '\(claim.member)' are stored in the same place, "
          + (claim.name.isEmpty ? "the item without an account" : "as '\(claim.name)'")
        : "'\(earlier.name)' and '\(claim.name)' differ only in case or Unicode normalization, so some devices store them in one place",
      at: claim.node, help: "give one of the two another `name` or another domain",
      notes: [.init("the first one", at: earlier.node.place)])
  }
}
