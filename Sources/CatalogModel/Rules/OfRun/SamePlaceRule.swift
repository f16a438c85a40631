import CatalogSyntax
import StorageVocabulary

/// Two keys in one physical place would overwrite each other, and so would a key and what lies under a reserved name.
struct SamePlaceRule: RunRule {
  private struct Claim {
    var name: String
    var what: String
    var node: SyntaxNode
    var isReserved: Bool
  }

  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var index = Set<StoredPlace>(minimumCapacity: run.documents.reduce(0) { $0 + $1.keys.count })
    var shared: Set<StoredPlace> = []
    for document in run.documents {
      for reserved in document.reserved { note(reserved.place, &index, &shared) }
      for key in document.keys where key.hasPlace { note(key.place, &index, &shared) }
    }
    guard !shared.isEmpty else { return }
    report(run, shared, &findings)
  }

  private func note(_ place: StoredPlace, _ index: inout Set<StoredPlace>, _ shared: inout Set<StoredPlace>) {
    if !index.insert(place).inserted { shared.insert(place) }
  }

  /// The second pass, over a run that has findings: which claims share a place.
  private func report(_ run: CatalogRun, _ shared: Set<StoredPlace>, _ findings: inout Findings) {
    var first: [StoredPlace: Claim] = [:]
    for document in run.documents {
      for reserved in document.reserved where shared.contains(reserved.place) {
        let claim = Claim(
          name: reserved.resolved.name, what: "the reserved name '\(reserved.resolved.name)'", node: reserved.node,
          isReserved: true)
        add(claim, reserved.place, &first, &findings)
      }
    }
    for document in run.documents {
      for key in document.keys where key.hasPlace && shared.contains(key.place) {
        let descriptor = key.resolved.descriptor
        let claim = Claim(
          name: descriptor.name, what: "'\(descriptor.member)'",
          node: key.body.value(of: KeyField.name.text) ?? key.member, isReserved: false)
        add(claim, key.place, &first, &findings)
      }
    }
  }

  private func add(
    _ claim: Claim, _ place: StoredPlace, _ first: inout [StoredPlace: Claim], _ findings: inout Findings
  ) {
    guard let earlier = first[place] else {
      first[place] = claim
      return
    }
    if earlier.isReserved {
      findings.report(
        .reservedName,
        claim.isReserved ? "'\(claim.name)' is reserved twice" : "the stored name '\(claim.name)' is reserved",
        at: claim.node, help: claim.isReserved ? "remove one of the two" : "choose a name that was never used",
        notes: [.init("where it is reserved", at: earlier.node.place)])
      return
    }
    let sameBytes = Array(earlier.name.utf8) == Array(claim.name.utf8)
    findings.report(
      .samePlace,
      sameBytes
        ? "\(earlier.what) and \(claim.what) are stored in the same place, as '\(claim.name)'"
        : "'\(earlier.name)' and '\(claim.name)' differ only in case or normalization, which makes them one place",
      at: claim.node, help: "give one of the two another `name`, or another domain",
      notes: [.init("the first one", at: earlier.node.place)])
  }
}

extension DecodedKey {
  var hasPlace: Bool { isSound(KeyFieldSet(.name, .domain, .parameters)) }

  var place: StoredPlace { StoredPlace(resolved.descriptor.domain, name: resolved.descriptor.name) }
}

extension DecodedReservedName {
  var place: StoredPlace { StoredPlace(resolved.domain, name: resolved.name) }
}
