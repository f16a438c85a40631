package import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary

/// Unmanaged data: its fields with their values, where each value was written, and where the data is stored.
package enum UnmanagedExplanation {
  /// Returns the explanations of the unmanaged data with a member, as text.
  package static func explain(_ member: String, in trees: [SyntaxTree], project: Project) -> [String] {
    let run = CatalogResolver.check(trees, project).run
    return run.documents.flatMap { document in
      document.unmanaged.filter { $0.member.text == member }.map { entry in
        let data = entry.resolved
        let place = "\(SafeText.escaped(document.tree.source.path)):\(data.key.line)"
        return "\(member), unmanaged data of \(document.header.name) (\(place))\n\n"
          + RecordExplanation.table(entry.rows(document.defaults)) + "\n" + StoredAddress(data).explanation("")
      }
    }
  }

  /// Returns the members that can be explained.
  package static func names(in trees: [SyntaxTree]) -> [String] {
    CatalogResolver.link(trees).documents.flatMap { $0.unmanaged.map(\.member.text) }
  }

  /// Returns the member that is most similar to another text, or nil if none is.
  package static func nearest(to name: String, in trees: [SyntaxTree]) -> String? {
    Spelling.nearest(to: name, among: names(in: trees))
  }
}

extension DecodedUnmanaged {
  /// A row for each field that the data has: its path, its value, and where it was written.
  fileprivate func rows(_ defaults: SyntaxNode?) -> [[String]] {
    let data = resolved
    let isFile = data.file != nil
    let values: [(path: String, value: FieldValue)] = [
      ("domain", data.domainValue), ("name", isFile || data.storedName.isEmpty ? .absent : .text(data.storedName)),
      ("security", FieldValue(data.descriptor.security)),
      ("protection", isFile ? .text(data.protection.rawValue) : .absent), ("retention.maxAge", data.key[.maxAge]),
      ("retention.until", data.key[.retainedUntil]), ("backup", isFile ? .flag(data.descriptor.backup) : .absent),
      ("sensitivity", data.key[.sensitivity]), ("privacy", data.key.privacy.map { FieldValue($0) } ?? .absent),
      ("owner", data.key[.owner]), ("title", data.key[.title]), ("tags", data.key[.tags]),
      ("description", data.key[.description]),
    ]
    return values.filter { $0.value != .absent }.map { path, value in
      [path, value.description, origin(of: path.split(separator: ".").map(String.init), defaults)]
    }
  }

  private func origin(of path: [String], _ defaults: SyntaxNode?) -> String {
    let isInheritable = Language.unmanaged.entries.contains { $0.name == path[0] && $0.isInheritable }
    return key.origin(of: path, defaults: isInheritable ? defaults : nil).text
  }
}

extension StoredAddress {
  /// The place of unmanaged data.
  init(_ data: ResolvedUnmanaged) {
    guard let file = data.file else {
      self.init(data.descriptor.domain, name: data.storedName)
      return
    }
    let directory = FileDirectory.exact(file.directory)
    let domain: StorageDomain =
      if let group = file.group {
        .appGroupFileSystem(identifier: group.identifier, directory: directory)
      } else {
        .fileSystem(directory: directory)
      }
    self.init(domain, name: file.path)
  }
}
