import LocalData
import LocalDataRecordKeys
import LocalDataShapes
import LocalDataFoundation
import LocalDataStores
import LocalDataSystem

/// A field whose values are sealed. An item of the keychain lists those of each database.
///
/// The file contains its shape in plain form. Anyone who can write the file can give it an earlier shape, with which a merge would
/// seal the text of a plain column, or an empty part in the place of a removed one. The item tells that the merge was made.
struct SealedNumber: Hashable, Codable, Sendable {
  /// The stored name of the record.
  var record: String
  var number: Int
  /// A Boolean value that indicates whether the field is plain, and encrypted ones were made from its values.
  var isPlain: Bool

  /// Returns the fields that a release seals, and the plain ones that it makes them from.
  static func all(of declared: RecordShape) -> Set<SealedNumber> {
    var numbers: Set<SealedNumber> = []
    for (name, record) in declared.records {
      for field in record.sealed.keys {
        numbers.insert(.init(record: name, number: field, isPlain: false))
        for source in (record.sources[field] ?? []).joined() where source.column != nil {
          numbers.insert(.init(record: name, number: source.number, isPlain: true))
        }
      }
    }
    return numbers
  }

  /// Returns true if a shape has the field as it is after the merge; `nil` if it does not have the record. A release that
  /// declares a retired field cannot use the file.
  func isSealed(in shape: RecordShape) -> Bool? {
    shape.records[record].map { table in
      if isPlain { return !table.hasValues(number) }
      return table.sealed[number] != nil && (table.required.contains(0) || table.retired.contains(number))
    }
  }
}

extension RecordKeys {
  /// Returns the listed fields.
  func listed() throws(StorageProblem) -> Set<SealedNumber> {
    let (store, address) = try item()
    return try Self.numbers(in: store.read(address, encryption.vault.attributes))
  }

  /// Returns the fields that a shape has and the item does not list.
  ///
  /// - Throws: ``StorageProblem/databaseDamaged`` if the shape lacks a listed field that the release declares.
  func unlisted(in shape: RecordShape, _ declared: RecordShape) throws(StorageProblem) -> Set<SealedNumber> {
    let listed = try listed()
    let declared = SealedNumber.all(of: declared)
    if listed.contains(where: { declared.contains($0) && $0.isSealed(in: shape) == false }) { throw .databaseDamaged }
    return declared.subtracting(listed).filter { $0.isSealed(in: shape) == true }
  }

  /// Replaces the list by the one that `change` returns.
  func relist(_ change: (Set<SealedNumber>) -> Set<SealedNumber>) throws(StorageProblem) {
    let (store, address) = try item(isWriting: true)
    try store.update(address, encryption.vault.attributes) { (bytes) throws(StorageProblem) in
      let listed = try Self.numbers(in: bytes)
      let changed = change(listed)
      if changed == listed { return .keep }
      do { return .write(try JSONEncoder().encode(changed)) } catch { throw .cannotEncode }
    }
  }

  /// Replaces the list, which is that of another file.
  func relist(as new: Set<SealedNumber>) throws(StorageProblem) {
    if new.isEmpty { try unlist() } else { try relist { _ in new } }
  }

  /// Removes the list. It needs no key. A keystore that is damaged or has lost its key lists nothing.
  func unlist() throws(StorageProblem) {
    do throws(StorageProblem) {
      let (store, address) = try item()
      try store.remove(address, encryption.vault.attributes)
    } catch {
      guard [.databaseDamaged, .keyMaterialMissing, .keyMaterialDamaged].contains(error) else { throw error }
    }
  }

  private func item(isWriting: Bool = false) throws(StorageProblem) -> (store: any ValueStore, address: StorageAddress)
  {
    let database = AddressID(StorageAddress(container: identity.container, name: identity.database))
    return try encryption.vault.item(KeysetVault.recordsInfix + database.description, keyset, isWriting: isWriting)
  }

  private static func numbers(in bytes: Data?) throws(StorageProblem) -> Set<SealedNumber> {
    guard let bytes else { return [] }
    do { return try JSONDecoder().decode(Set<SealedNumber>.self, from: bytes) } catch { throw .keyMaterialDamaged }
  }
}
