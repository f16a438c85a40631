import LocalDataModel
package import LocalDataSyntax
import LocalDataVocabulary

/// A snapshot of a release to the state that it recorded.
///
/// JSON is a subset of YAML, so the reader of catalogs reads it, with its limits and its places. Keys whose text is that
/// of today are not parsed at all: comparing bytes is some hundred times faster.
package struct SnapshotReader {
  /// The reason for which a file is not a snapshot that this version reads.
  package struct Failure: Error {
    package var message: String
    package var place: SourcePlace?
    package var help: String
  }

  /// A snapshot may hold the keys of several catalogs.
  package static let maximumSize = 128 << 20

  private let file: SourceFile
  private let version: String?

  /// - Parameters:
  ///   - today: The texts of today's keys, so that those that are the same are left out; nil to read every key.
  ///   - version: The release that the file must be of; nil if it can be of any.
  package static func read(
    _ file: SourceFile, besides today: SnapshotWriter.KeyTexts? = nil, version: String? = nil
  ) throws(Failure) -> Baseline {
    let reader = SnapshotReader(file: file, version: version)
    if let today, let split = SnapshotText(file.bytes.withLineFeeds).changed(besides: today) {
      // An error would have the line of a part. It is found again in the whole file, with the right one.
      do throws(Failure) {
        let state = try reader.state(SourceFile(path: file.path, bytes: split.bytes))
        return Baseline(state: state, unchanged: split.unchanged)
      } catch {}
    }
    return Baseline(state: try reader.state(file))
  }

  private func state(_ source: SourceFile) throws(Failure) -> CatalogState {
    let (tree, diagnostics) = CatalogReader.read(source, maximumSize: Self.maximumSize)
    guard let root = tree?.root, root.kind == .mapping else {
      throw failure(diagnostics.first?.message ?? "it is not a map", diagnostics.first?.place)
    }
    var fields: [String: SyntaxNode] = [:]
    for (key, value) in root.fields { fields[key.text] = value }
    try checkFormat(fields["format"])
    guard let release = fields["release"], release.kind == .scalar, let keys = fields["keys"] else {
      throw failure("'release' or 'keys' is missing", root.place)
    }
    if let version, version != release.text {
      throw failure("the file is named for release \(version), and it is of release \(release.text)", release.place)
    }
    var state = CatalogState(title: "release \(release.text)")
    for (name, facts) in Self.entries(fields["catalogs"]) {
      state.catalogs[name.text] = FieldValue(facts)["access"].text ?? AccessLevel.internal.rawValue
    }
    state.types = try declarations("type", fields["types"])
    state.databases = try declarations("database", fields["databases"])
    state.records = try declarations("record", fields["records"])
    state.backups = try declarations("backup", fields["backupFiles"])
    state.unmanaged = try declarations("unmanaged data", fields["unmanaged"])
    for (member, facts) in keys.fields { state.keys[member.text] = try key(member, facts) }
    for node in fields["reserved"].map({ Array($0.children) }) ?? [] {
      let value = FieldValue(node)
      if let record = CatalogState.ReservedRecord(facts: value) {
        state.reservedRecords.append(record)
        continue
      }
      guard let name = value["name"].text, let domain = StorageDomain(value["domain"]) else {
        throw failure("a reserved name is not complete", node.place)
      }
      state.reserved.append(
        .init(
          catalog: value["catalog"].text ?? "", name: name, domain: domain,
          deletesLeftovers: value["cleanup"] == .text("delete"), note: value["note"].text))
    }
    return state
  }

  private static func entries(_ node: SyntaxNode?) -> [(key: SyntaxNode, value: SyntaxNode)] {
    node.map { Array($0.fields) } ?? []
  }

  private func declarations<Value: Declaration>(
    _ word: String, _ section: SyntaxNode?
  ) throws(Failure) -> [String: Value] {
    var result: [String: Value] = [:]
    for (name, facts) in Self.entries(section) {
      guard let value = Value(name.text, facts: FieldValue(facts)) else {
        throw failure("the \(word) '\(name.text)' is not complete", name.place)
      }
      result[name.text] = value
    }
    return result
  }

  private func checkFormat(_ node: SyntaxNode?) throws(Failure) {
    guard let node, let format = Int(node.text), format >= 1 else {
      throw failure("'format' is missing", node?.place ?? file.start)
    }
    guard format <= SnapshotWriter.format else {
      throw Failure(
        message: "'\(file.path)' has the format \(format), and this version of local-data reads formats up to "
          + "\(SnapshotWriter.format)", place: node.place,
        help: "use the version of local-data that wrote it, or a newer one")
    }
  }

  private func key(_ member: SyntaxNode, _ facts: SyntaxNode) throws(Failure) -> DeclaredKey {
    var values = [FieldValue](repeating: .absent, count: ResolvedField.allCases.count)
    values[ResolvedField.member.index] = .text(member.text)
    for (path, value) in facts.fields {
      // A fact that this version does not know was written by a newer one of the same format: it decides nothing here.
      guard let field = ResolvedField(rawValue: path.text) else { continue }
      values[field.index] = FieldValue(value)
    }
    guard let key = DeclaredKey(values), key[.type].text != nil, key[.name].text != nil else {
      throw failure("the key '\(member.text)' is not complete", member.place)
    }
    return key
  }

  private func failure(_ reason: String, _ place: SourcePlace?) -> Failure {
    Failure(
      message: "cannot read the snapshot '\(file.path)': \(reason)", place: place,
      help: "restore the file from version control: it is written by `local-data release` and never by hand")
  }
}

extension FieldValue {
  /// A value of JSON: what stands between quotes is text.
  fileprivate init(_ node: SyntaxNode) {
    switch node.kind {
    case .sequence: self = .list(node.children.map { FieldValue($0) })
    case .mapping: self = .map(node.fields.map { Entry($0.key.text, FieldValue($0.value)) })
    case .scalar:
      let text = node.text
      switch text {
      case _ where !node.isPlain: self = .text(text)
      case "true": self = .flag(true)
      case "false": self = .flag(false)
      case "null": self = .absent
      default: self = Int(text).map(FieldValue.integer) ?? .text(text)
      }
    }
  }
}
