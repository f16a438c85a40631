import LocalDataModel

/// A review that a release has recorded, and the parts of the protection that have changed since.
///
/// Any change counts, also one that protects more: the reviewer has seen another declaration. A review is new if it names
/// another reviewer or another day than the recorded one.
struct OutdatedReview {
  private let member: String
  private let subject: Finding.Subject
  /// The recorded review and today's, as a catalog writes them.
  private let reviews: (old: FieldValue, new: FieldValue)
  /// The changes in words.
  private let changes: [String]

  init(of old: DeclaredKey, _ new: DeclaredKey) {
    member = old.member
    subject = .key(new.member)
    reviews = (old.review, new.review)
    // A legacy key is only read, and what it protected is the key's that reads it.
    let fields = old[.reviewer] == .absent || new[.legacy] == .flag(true) ? [] : Self.fields
    changes = fields.compactMap { Self.words($0.path, old[$0], new[$0]) }
  }

  init(
    of old: DeclaredRecord, in oldDatabase: DeclaredDatabase?, _ new: DeclaredRecord, in newDatabase: DeclaredDatabase
  ) {
    member = old.name
    subject = .record(new.name)
    reviews = (old.review, new.review)
    guard old.review != .absent else {
      changes = []
      return
    }
    let fields = old.fields.compactMap { field in
      new.field(field.number).flatMap { Self.words("'\($0.name)' encrypted", field.encrypted, $0.encrypted) }
    }
    changes = fields + (oldDatabase.map { Self.changes(from: $0, to: newDatabase) } ?? [])
  }

  private static let fields = ProtectionChange.fields + [.domainAccessGroup, .externalKeySource, .sensitivity]

  private static func changes(from old: DeclaredDatabase, to new: DeclaredDatabase) -> [String] {
    let before = FieldValue.map(old.facts)
    let now = FieldValue.map(new.facts)
    return ["domain", "protection", "sealing", "backup"].compactMap { name in
      words("\(name) of '\(new.member)'", before[name], now[name])
    }
  }

  private static func words(_ what: String, _ old: FieldValue, _ new: FieldValue) -> String? {
    func text(_ value: FieldValue) -> String { value == .absent ? "none" : value.description }
    return old == new ? nil : "\(what) \(text(new)) after \(text(old))"
  }

  var finding: Finding? {
    guard !changes.isEmpty, reviews.new == .absent || reviews.new == reviews.old else { return nil }
    let reviewer = reviews.old["by"]
    return Finding(
      rule: .reviewOutdated, subject: subject,
      message: "had '\(member)' reviewed by \(reviewer), and its protection has changed since: "
        + changes.joined(separator: ", "),
      help: "have it reviewed again, and write `review: {by: \(reviewer), until: …}` with a new day", remedy: Remedy(),
      keys: [member])
  }
}

extension DeclaredKey {
  /// `review` as a catalog writes it; absent if there is none.
  fileprivate var review: FieldValue {
    self[.reviewer] == .absent
      ? .absent : .map(present: [.init("by", self[.reviewer]), .init("until", self[.reviewedUntil])])
  }
}
