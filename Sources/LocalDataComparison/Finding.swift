package import LocalDataModel

/// A change that loses or exposes what an earlier state stored.
package struct Finding: Sendable {
  /// The declaration that the finding is about.
  package enum Subject: Sendable, Hashable {
    /// A key of today, by its member.
    case key(String)
    /// A type of today.
    case type(String)
    /// A database of today, by its member.
    case database(String)
    /// A record of today, by its Swift type.
    case record(String)
    /// A field of a record of today, by its number.
    case field(record: String, Int)
    /// A catalog as a whole: what the finding is about is not declared any more.
    case catalog(String)
  }

  package var rule: ReleaseRule
  package var subject: Subject
  /// The end of the message, after the names of the releases: `stored 'theme' as …`.
  package var message: String
  package var help: String
  package var remedy: Remedy
  /// The keys that it is about, in the order of their names.
  package var keys: [String]
  /// The earlier states that it was found in.
  package var titles: [String] = []

  /// Findings that say the same of several releases are one.
  struct Identity: Hashable {
    var rule: ReleaseRule
    var subject: Subject
    var message: String
  }

  var identity: Identity { Identity(rule: rule, subject: subject, message: message) }

  /// `release 1.0`, or `releases 1.0, 1.1 and 1.2`.
  package var origin: String {
    let prefix = "release "
    guard titles.count > 1, titles.allSatisfy({ $0.hasPrefix(prefix) }) else {
      return titles.joined(separator: " and ")
    }
    let names = titles.map { $0.dropFirst(prefix.count) }
    return "releases \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
  }

  package var text: String { "\(origin) \(message)" }
}

/// A change that makes a finding disappear.
package struct Remedy: Sendable, Hashable {
  /// A step of a key's migration that is written in another way.
  package struct Replacement: Hashable {
    package var key: String
    package var old: FieldValue
    package var new: FieldValue
  }

  /// A legacy key to add, with the address that it describes.
  package struct NewKey: Hashable {
    package var entry: FieldValue.Entry
    package var address: StoredPlace
  }

  /// Released fields that a field of a record is made from.
  package struct EarlierField: Hashable {
    /// By their numbers: the type, the encryption and the wire form that each had.
    package var fields: [FieldValue.Entry]
    /// The function to be written.
    package var transform: FieldValue
  }

  /// A number for a field of a record or of a struct that no field has had.
  package struct NewNumber: Hashable {
    var field: String
    package var number: Int
  }

  /// A field of a record or of a struct that is gone.
  package struct ReservedField: Hashable {
    var number: Int
    var name: String?
  }

  /// Steps to add to the migration of a key, complete: with all fields of their sources.
  package var steps: [FieldValue] = []
  package var replacements: [Replacement] = []
  /// A Boolean value that indicates whether the steps of the key are sorted, the newest source first.
  package var sortsSteps = false
  /// The schema that a key must have at least.
  package var schema: Int?
  /// Fields of a key, a database or a record to set, or of a field of a record.
  package var fields: [FieldValue.Entry] = []
  package var newNumber: NewNumber?
  /// Released fields to read in `from` of a field of a record.
  package var earlierFields: [EarlierField] = []
  /// Fields of a record or of a struct to reserve: their numbers, and their names unless another field has them.
  package var reservedFields: [ReservedField] = []
  package var newKeys: [NewKey] = []
  /// Types to add, each with its fields.
  package var newTypes: [FieldValue.Entry] = []
  /// An entry to add to `reserved`.
  package var reserved: FieldValue?
  /// The cases of an enum of `types`, in full.
  package var cases: FieldValue?

  /// A Boolean value that indicates whether no text of a catalog makes the finding disappear.
  package var isEmpty: Bool { self == Remedy() }
}
