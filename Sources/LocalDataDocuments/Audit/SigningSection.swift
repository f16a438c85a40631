import LocalDataModel
import LocalDataEmission
import LocalDataAudit
import LocalDataVocabulary

/// The key pairs of catalogs: where their private keys are, who may use them, and what becomes of them.
struct SigningSection {
  private let keys: [ResolvedKey]

  static let title: StaticString = "Key pairs"

  init(_ catalogs: [ResolvedCatalog]) { keys = catalogs.flatMap(\.keys).filter(\.isSigningKey) }

  var hasContent: Bool { !keys.isEmpty }

  func write(to document: inout some DocumentWriter & ~Copyable) {
    guard hasContent else { return }
    document.section(Self.title, "pairs") { document in
      document.paragraph(.fixed(Self.explanation))
      document.table(Self.title.description, Self.columns) { document in
        for key in keys {
          guard let signing = key.descriptor.signing else { continue }
          document.row(texts: [
            key.descriptor.member, signing.enclaveText, key.descriptor.security.auditText,
            signing.applicationTag ?? "", signing.isExportable ? "yes, encrypted" : "no",
            signing.isKeptAtSignOut ? "kept" : "removed", key.descriptor.owner,
          ])
        }
      }
    }
  }

  private static let columns = [
    "Pair", "Private key", "Secured", "Adopts the tag", "Exportable", "At sign-out", "Owner",
  ]

  private static let explanation: StaticString = """
    Each pair signs with ES256. No function returns a private key. A pair stays behind on a new device: credentials that \
    are bound to it must be issued again.
    """
}
