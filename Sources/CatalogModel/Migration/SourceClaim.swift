import CatalogSyntax

/// A place that a key's migration empties.
struct SourceClaim {
  var member: String
  var place: StoredPlace
  /// The node that names the source.
  var node: SyntaxNode

  /// Reports each key that would come too late, where another has taken its source.
  static func report(_ claims: [SourceClaim], _ findings: inout Findings) {
    var first: [StoredPlace: SourceClaim] = [:]
    for claim in claims {
      guard let earlier = first[claim.place] else {
        first[claim.place] = claim
        continue
      }
      guard earlier.member != claim.member else { continue }
      findings.report(
        .sharedSource, "'\(earlier.member)' has the same source, and the key that is read first takes the value away",
        at: claim.node, help: "give one of the two a custom migration that reads the source and leaves it",
        notes: [.init("the other one", at: earlier.node.place)], of: claim.member)
    }
  }
}
