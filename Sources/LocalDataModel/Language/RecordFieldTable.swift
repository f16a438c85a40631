import LocalDataSyntax
import LocalDataVocabulary

/// A field of a record on its way from nodes.
struct RecordFieldDraft: Sendable {
  var typeNode: SyntaxNode?
  var number: Int?
  var name: String?
  var defaultNode: SyntaxNode?
  var isIndexed = false
  var isUnique = false
  var encryption = ResolvedRecord.Encryption.none
  var referenceNode: SyntaxNode?
  var onDelete: DeletionPolicy?
  var wire = WireForm.timestamp
  /// The functions that make the field from earlier ones, the newest first.
  var transforms: [RecordTransformDraft] = []
  var valid: ValidValues?
  var sensitivity: Sensitivity?
  var privacy: ResolvedPrivacy?
  var description: String?
}

/// The form of a date in the wire format.
enum WireForm: String, CaseName {
  case timestamp, seconds

  static let names = NameTable<Self>()
}

extension DeletionPolicy: CaseName {
  static let names = NameTable<Self>()
}

extension Language {
  /// The field that encrypts a value.
  static let encryptedField = "encrypted"

  /// The fields of a field of a record, in the order in which `fmt` writes them.
  static let recordField = FieldTable<RecordFieldDraft>(
    "a record's field", what: "a map with 'type' and 'number'", example: "rp: {type: String, number: 1}",
    [
      Field(
        "type", "a type", .type, .required,
        "The type of the field. With `?` the field can be nil.", example: "String"
      ) { $0.typeNode = $1 },
      Field(
        "number", .fieldNumber, .required,
        "The number that identifies the field in stored records. It stays the same when the field is renamed, and no "
          + "other field of the record may ever use it. The numbers \(FieldNumber.reserved.lowerBound) to "
          + "\(FieldNumber.reserved.upperBound) belong to protobuf.", example: "1"
      ) { $0.number = $1 },
      Field(
        "name", .tableName("the stored name of a field"), .optional("the field"),
        "The stored name: the name of the column. It consists of ASCII letters, digits and `_`.", example: "party"
      ) { $0.name = $1 },
      Field(
        "default", "a default", .literal, .optional("none"),
        "The value of the field in the emitted initializer, and in records that were stored before the field was "
          + "added. `new` is a new UUID for each record.", example: "\"\""
      ) { $0.defaultNode = $1 },
      Field(
        "index", .flag, .optional("false"),
        "True if the field has an index, which makes queries fast that compare or sort by it.", example: "true"
      ) { $0.isIndexed = $1 },
      Field(
        "unique", .flag, .optional("false"), "True if no two records may have the same value.", example: "true"
      ) { $0.isUnique = $1 },
      Field(
        encryptedField, .encryption, .optional("false"),
        "The encryption of the field. `true` encrypts it, and queries cannot use it. `{index: blind}` also stores a fingerprint of "
          + "the value, so that queries can compare it with `==`.", example: "{index: blind}"
      ) { $0.encryption = $1 },
      Field(
        "references", "the name of a record", .identifier, .optional("none"),
        "The record whose key the field contains. Only the key of a stored record, or nil, can be saved.",
        example: "Credential"
      ) { $0.referenceNode = $1 },
      Field(
        "onDelete", .word("an action on deletion"), .optional("restrict"),
        "What happens when the record that the field refers to is deleted. With `restrict` the deletion is an error, "
          + "with `cascade` this record is deleted too, and with `setNull` the field becomes nil.", example: "cascade"
      ) { $0.onDelete = $1 },
      Field(
        "wire", .word("a form of dates"), .optional("timestamp"),
        "The form of a Date in the wire format of protobuf: `timestamp` is a `google.protobuf.Timestamp`, and `seconds` "
          + "an int64 of whole seconds since 1970. A date that has a fraction of a second cannot be saved then, whether the field is "
          + "encrypted or not.", example: "seconds"
      ) { $0.wire = $1 },
      Field(
        "from", .recordTransforms, .optional("none"),
        "The fields of earlier releases that the field is made from, and the function that makes it. It runs once for each "
          + "stored record, when the app opens the database first. In a list the newest is the first, and each leads straight "
          + "to today's type. The old numbers are reserved.", example: "{number: 5, type: Int, transform: Length.text}"
      ) { $0.transforms = $1 },
      Field(
        "valid", .valid, .optional("every value of the type"),
        "The values that can be saved. A stored row with another one is not read, and stays.",
        example: "{count: 1...40}"
      ) { $0.valid = $1 },
      Field(
        "sensitivity", .word("a sensitivity"), .optional("the record's"), "The harm if the value is disclosed.",
        example: "internal"
      ) { $0.sensitivity = $1 },
      Field(
        "privacy", .privacy, .optional("the record's"), "What the privacy manifest of the app says about the value.",
        example: "{collected: false}"
      ) { $0.privacy = $1 },
      Field(
        "description", .prose("a description"), .optional("none"), "What the field is.",
        example: "The verifier, by its client identifier."
      ) { $0.description = $1 },
    ])
}

extension Language {
  /// The fields of `encrypted`, where it is a map.
  static let encryption = FieldTable<EncryptedIndex>(
    "'encrypted'", what: "true, false or {index: blind}", example: "encrypted: {index: blind}",
    [
      Field(
        "index", .word("an index of an encrypted field"), .required,
        "The index of the encrypted field. `blind` stores a fingerprint of the value, so that queries can compare it "
          + "with `==`.", example: "blind"
      ) { $0 = $1 }
    ])
}

/// The index of an encrypted field.
enum EncryptedIndex: String, CaseName {
  case blind

  static let names = NameTable<Self>()
}

/// The numbers of fields that protobuf allows.
package enum FieldNumber {
  package static let all = 1...536_870_911
  /// Numbers that protobuf uses itself.
  static let reserved = 19_000...19_999

  package static func isValid(_ number: Int) -> Bool { all.contains(number) && !reserved.contains(number) }

  /// Returns the first number from `start` on that is valid and in none of the sets.
  package static func next(from start: Int, besides taken: Set<Int>) -> Int {
    var number = max(all.lowerBound, start)
    while taken.contains(number) || reserved.contains(number) { number += 1 }
    return number
  }
}

extension ValueShape where Value == Int {
  /// The number of a field in the wire format.
  static var fieldNumber: Self {
    Self(what: "the number of a field", shape: .integer(FieldNumber.all)) { node, _, context in
      guard let text = context.scalar(node, "the number of a field", example: "number: 1") else { return nil }
      if let number = Int(text), FieldNumber.isValid(number), text.utf8.allSatisfy(Identifier.isDigit) { return number }
      let all = FieldNumber.all
      let reserved = FieldNumber.reserved
      context.findings.report(
        .invalidFieldNumber, "'\(text)' is not the number of a field", at: node,
        help: "write a whole number from \(all.lowerBound) to \(all.upperBound), except \(reserved.lowerBound) to "
          + "\(reserved.upperBound)")
      return nil
    }
  }
}

extension ValueShape where Value == ResolvedRecord.Encryption {
  /// `true`, `false` or `{index: blind}`.
  static var encryption: Self {
    let index = Language.encryption
    return Self(what: index.what, shape: .either([.flag, index.shape])) { node, entry, context in
      if node.kind == .mapping { return index.record(node, .blind, &context).map { _ in .blind } }
      return context.flag(node, entry.name).map { $0 ? .sealed : .none }
    }
  }
}
