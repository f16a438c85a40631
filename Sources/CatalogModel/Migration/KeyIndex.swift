import StorageVocabulary

/// All keys of a run by member and by place. Built only where a migration asks.
struct KeyIndex {
  fileprivate struct Position {
    var document: Int
    var key: Int
  }

  private var byMember: [String: Position] = [:]
  private var byPlace: [StoredPlace: Position] = [:]
  private(set) var members: [String] = []

  init(_ run: CatalogRun) {
    for (number, document) in run.documents.enumerated() {
      for (index, key) in document.keys.enumerated() {
        let position = Position(document: number, key: index)
        let member = key.resolved.descriptor.member
        if byMember.updateValue(position, forKey: member) == nil { members.append(member) }
        if key.hasPlace { byPlace[key.place] = position }
      }
    }
  }

  func key(_ member: String, _ run: CatalogRun) -> DecodedKey? { byMember[member].map { run[$0] } }

  func key(at place: StoredPlace, _ run: CatalogRun) -> DecodedKey? { byPlace[place].map { run[$0] } }
}

extension CatalogRun {
  fileprivate subscript(position: KeyIndex.Position) -> DecodedKey { documents[position.document].keys[position.key] }
}
