import LocalDataModel
import LocalDataVocabulary

/// The time for which the rows of a record are kept.
package struct KeptRows {
  /// The number of the field with the date; nil if no date decides.
  private let by: Int?
  private let maxAge: Int?
  private let maxCount: Int?
  private let endsAtRelaunch: Bool
  /// The retention as a catalog writes it.
  let value: FieldValue

  package init(_ record: DeclaredRecord) {
    value = record.retention
    by = value["by"].text.flatMap { name in record.fields.first { $0.name == name }?.number }
    maxAge = value[Retention.Kind.maxAge.rawValue].text.flatMap(Retention.seconds)
    maxCount = value["maxCount"].integer
    endsAtRelaunch = value[Retention.Kind.until.rawValue] != .absent
  }

  /// Returns true if rows can be deleted that the other time keeps.
  package func mayEndBefore(_ other: KeptRows) -> Bool {
    guard by != nil || endsAtRelaunch else { return false }
    guard by == other.by, endsAtRelaunch == other.endsAtRelaunch else { return true }
    return (maxAge ?? .max) < (other.maxAge ?? .max) || (maxCount ?? .max) < (other.maxCount ?? .max)
  }

  var words: String {
    if endsAtRelaunch { return "until the next launch" }
    let age = value[Retention.Kind.maxAge.rawValue].text
    let parts = [age.map { "for \($0)" }, maxCount.map { "if they are among the newest \($0)" }]
    let words = parts.compactMap(\.self).joined(separator: " and ")
    return words.isEmpty ? "until they are removed" : words + " by '\(value["by"].text ?? "")'"
  }
}
