import LocalDataModel

/// The check for parts of a source that are taken for the first time, although a release takes other parts. The release removes
/// the source when each of its keys has its part.
struct AddedParts {
  private let context: ComparisonContext
  private let old: CatalogState
  /// The steps of the release that read a legacy key, with their keys.
  private let released: [(key: String, legacyKey: String, step: MigrationStep)]

  init(_ baseline: Baseline, _ context: ComparisonContext) {
    self.context = context
    old = baseline.state
    let keys = Array(baseline.state.keys.values) + baseline.unchanged.compactMap { context.today.keys[$0] }
    released = keys.flatMap(Self.reads)
  }

  /// The findings for the keys of today, in the order of their members.
  func findings() -> [Finding] {
    context.today.keys.values.sorted { $0.member < $1.member }.flatMap { key in
      Self.reads(key).compactMap { finding(of: key, $0.legacyKey, $0.step) }
    }
  }

  /// Returns true if a key takes a part of a source that other keys of today take parts of, or a field of one.
  static func isPart(_ step: MigrationStep, of legacyKey: String, _ readers: ReaderIndex) -> Bool {
    step.field != .absent || readers.users(of: legacyKey).count > 1
  }

  private func finding(of key: DeclaredKey, _ legacyKey: String, _ step: MigrationStep) -> Finding? {
    guard Self.isPart(step, of: legacyKey, context.readers), let source = context.today.keys[legacyKey] else {
      return nil
    }
    let readers = released.filter { form(of: $0.legacyKey)?.address == source.form.address }
    guard !readers.isEmpty, !readers.contains(where: { isSame($0.step, of: $0.key, step, of: key) }) else { return nil }
    let others = Set(readers.map(\.key)).sorted().map { "'\($0)'" }.joined(separator: ", ")
    let part = step.field == .absent ? "" : "the field \(step.field) of "
    return Finding(
      rule: .sourceField, subject: .key(key.member),
      message:
        "removed '\(legacyKey)' when it had moved its values to \(others), and '\(key.member)' would find nothing",
      help:
        "remove this migration; or, if only users who did not install that release are to keep \(part)'\(legacyKey)', write "
        + "`\(ReleaseRule.sourceField.allowance)`",
      remedy: Remedy(), keys: [key.member])
  }

  private func form(of legacyKey: String) -> StoredForm? {
    (old.keys[legacyKey] ?? context.today.keys[legacyKey])?.form
  }

  /// Returns true if a step of the release takes the part that a step of today takes.
  private func isSame(_ old: MigrationStep, of oldKey: String, _ new: MigrationStep, of key: DeclaredKey) -> Bool {
    guard old.field == new.field else { return false }
    return old.field != .absent || oldKey == key.member || old.value["transform"] == new.value["transform"]
  }

  private static func reads(_ key: DeclaredKey) -> [(key: String, legacyKey: String, step: MigrationStep)] {
    key.steps.flatMap { step in
      guard case .from(let sources) = step.action else {
        return [(key: String, legacyKey: String, step: MigrationStep)]()
      }
      return sources.compactMap { source in
        if case .member(let legacyKey) = source { (key.member, legacyKey, step) } else { nil }
      }
    }
  }
}
