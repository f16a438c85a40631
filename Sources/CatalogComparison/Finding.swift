package import CatalogModel

/// A change that loses or exposes what an earlier state stored.
package struct Finding: Sendable {
  /// The declaration that the finding is about.
  package enum Subject: Sendable, Hashable {
    /// A key of today, by its member.
    case key(String)
    /// A type of today.
    case type(String)
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
  /// Steps to add to the migration of a key, as a catalog writes them.
  package var steps: [FieldValue] = []
  /// Steps of earlier sources, which are tried after the added ones.
  package var earlierSteps: [FieldValue] = []
  /// The schema that a key must have at least.
  package var schema: Int?
  /// Fields of a key to set.
  package var fields: [FieldValue.Entry] = []
  /// A key to add.
  package var newKey: FieldValue.Entry?
  /// An entry to add to `reserved`.
  package var reserved: FieldValue?
  /// The cases of an enum of `types`, in full.
  package var cases: FieldValue?
}
