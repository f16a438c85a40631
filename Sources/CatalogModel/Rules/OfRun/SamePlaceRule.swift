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
    let shared = Self.sharedHashes(run)
    guard !shared.isEmpty else { return }
    report(run, shared, &findings)
  }

  /// The hashes of places that more than one key or reserved name has; in most runs none, and nothing is compared.
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
          name: reserved.resolved.name, what: "the reserved name '\(reserved.resolved.name)'", node: reserved.node,
          isReserved: true)
        add(claim, reserved.place, &first, &findings)
      }
    }
    for document in run.documents {
      for key in document.keys where key.hasPlace && shared.contains(key.placeHash) {
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
