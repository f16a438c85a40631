import LocalDataModel
import LocalDataVocabulary

/// The addresses of the declarations of a page.
///
/// The address of a key is its member, for example `key-theme`. A run has each member once. If the catalogs of several runs
/// are on one page, a later declaration of the same name also has the name of its catalog in its address.
struct AuditAddresses {
  /// By the positions of the catalog and of the declaration.
  private(set) var keys: [[HTMLIdentifier]] = []
  private(set) var records: [[HTMLIdentifier]] = []
  private(set) var databases: [[HTMLIdentifier]] = []
  private(set) var types: [[HTMLIdentifier]] = []
  private(set) var unmanaged: [[HTMLIdentifier]] = []
  private var used: Set<HTMLIdentifier> = []
  private let isAlone: Bool

  init(_ catalogs: [ResolvedCatalog]) {
    isAlone = catalogs.count == 1
    for catalog in catalogs {
      keys.append(catalog.keys.map { address("key", $0.descriptor.member, catalog) })
      records.append(catalog.records.map { address("record", $0.name, catalog) })
      databases.append(catalog.databases.map { address("database", $0.member, catalog) })
      unmanaged.append(catalog.unmanaged.map { address("unmanaged", $0.member, catalog) })
      types.append(catalog.types.map { address("type", $0.name, catalog) })
    }
  }

  private mutating func address(_ kind: StaticString, _ name: String, _ catalog: ResolvedCatalog) -> HTMLIdentifier {
    let plain = HTMLIdentifier(kind, name)
    guard !isAlone, !used.insert(plain).inserted else { return plain }
    var address = HTMLIdentifier(kind, name, catalog.name)
    var count = 2
    while !used.insert(address).inserted {
      address = HTMLIdentifier(kind, name, catalog.name, String(count))
      count += 1
    }
    return address
  }
}
