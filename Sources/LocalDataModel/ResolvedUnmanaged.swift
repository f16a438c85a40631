package import LocalDataAudit
package import LocalDataVocabulary

/// Data of the app that other code stores: an entry of `unmanaged:`.
package struct ResolvedUnmanaged: Sendable, Hashable {
  /// The declaration in the form of a key's, which rules and audits of keys ask for its parts. No code is emitted for it.
  package let key: ResolvedKey
  /// The file or the folder, or nil if the data is a preference or an item of the keychain.
  package var file: File?
  /// The protection of the file.
  package var protection: ResolvedDatabase.Protection

  /// A file or a folder, by its path in a directory.
  package struct File: Sendable, Hashable {
    package var directory: ForeignDirectory
    package var group: ResolvedSource.Group?
    /// The path. That of a folder ends in `/`.
    package var path: String

    package init(directory: ForeignDirectory, group: ResolvedSource.Group?, path: String) {
      self.directory = directory
      self.group = group
      self.path = path
    }
  }

  package init(key: ResolvedKey, file: File?, protection: ResolvedDatabase.Protection) {
    self.key = key
    self.file = file
    self.protection = protection
  }
}

extension ResolvedUnmanaged {
  /// The name in the catalog.
  package var member: String { key.descriptor.member }

  /// The name in findings. A key can have the same member.
  package var findingName: String { "\(Self.section).\(member)" }

  package static let section = "unmanaged"

  /// The path of the file or the folder, or the name of the preference or the item.
  package var storedName: String { file?.path ?? descriptor.name }

  /// The facts from which the fate of the data follows.
  package var descriptor: StorageKeyDescriptor { key.descriptor }

  /// The kind of the data, in a word.
  package var kindText: String {
    guard let file else { return descriptor.domain.kind == .keychain ? "keychain item" : "preference" }
    return file.isFolder ? "folder" : "file"
  }

  /// The place in words, for example `the folder Episodes/ in caches`.
  package var whereText: String {
    guard let file else {
      return "\(descriptor.domain.auditText), " + (descriptor.name.isEmpty ? "without an account" : descriptor.name)
    }
    let group = file.group.map { " of the group \($0.identifier?.containerText ?? "that is configured")" } ?? ""
    return "\(kindText) \(file.path) in \(file.directory.rawValue)\(group)"
  }

  /// The protection in words.
  package var securedText: String {
    file == nil
      ? descriptor.security.auditText : "\(descriptor.security.auditText), file protection \(protection.rawValue)"
  }

  /// The domain in the form in which a catalog writes it.
  package var domainValue: FieldValue {
    guard let file else { return FieldValue(descriptor.domain, name: descriptor.name) }
    return .map([
      .init(
        descriptor.domain.kind.rawValue,
        .map(present: [
          .init("identifier", FieldValue(container: file.group?.identifier)),
          .init("directory", .text(file.directory.rawValue)),
          .init("path", .text(file.path)),
        ]))
    ])
  }
}

extension ResolvedUnmanaged.File {
  package var isFolder: Bool { path.hasSuffix("/") }
}
