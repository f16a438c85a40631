package import LocalDataModel

/// A declaration of a state, by the facts that a snapshot has of it. Keys are apart: there are thousands of them, and they are compared
/// by the text of their facts.
package protocol Declaration: Sendable, Hashable {
  var catalog: String { get }
  /// The facts in the order in which a snapshot writes them.
  var facts: [FieldValue.Entry] { get }

  /// Creates a declaration from the facts of a snapshot. Returns nil if they are not complete.
  init?(_ name: String, facts: FieldValue)
}
