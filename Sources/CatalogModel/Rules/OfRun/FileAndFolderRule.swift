import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let fileAndFolder = Rule(
    "file-and-folder", .places, "The file of a key does not have the name of a custom directory in the same folder.",
    why: "A custom directory is in application support, and a folder and a file cannot have one name.",
    bad: .keys(
      "reports:\n  type: Data\n  domain: {fileSystem: {directory: applicationSupport}}\n"
        + "  description: A list of all reports.\n"
        + "latest:\n  type: Data\n  domain: {fileSystem: {directory: {custom: Reports}}}\n"
        + "  description: The report that was opened last."),
    good: .keys(
      "reports:\n  type: Data\n  name: list_of_reports\n  domain: {fileSystem: {directory: applicationSupport}}\n"
        + "  description: A list of all reports.\n"
        + "latest:\n  type: Data\n  domain: {fileSystem: {directory: {custom: Reports}}}\n"
        + "  description: The report that was opened last."))
}

/// Checks that no value is stored in a file where another value needs a folder.
struct FileAndFolderRule: RunRule {
  /// A path below the folders of an app or of a group. Its parts are in lower case, as many disks ignore case.
  private struct Path: Hashable {
    var group: String?
    var parts: [String]
  }

  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var folders: [Path: DecodedKey] = [:]
    forEachKey(run) { key, folder in
      guard case .custom? = key.resolved.descriptor.domain.directory else { return }
      var folder = folder
      while !folder.parts.isEmpty, folders[folder] == nil {
        folders[folder] = key
        folder.parts.removeLast()
      }
    }
    guard !folders.isEmpty else { return }
    forEachKey(run) { key, folder in
      // The names of a family are known at run time only.
      guard key.resolved.parameters.isEmpty else { return }
      let name = key.resolved.descriptor.name
      let other = [true, false].lazy.compactMap { isCaseKept in
        var file = folder
        file.parts.append(Self.fileName(name, isCaseKept: isCaseKept).lowercased())
        return folders[file]
      }.first
      guard let other else { return }
      findings.about(key) {
        $0.report(
          .fileAndFolder,
          "the file of '\(key.resolved.descriptor.member)' would have the name of the folder that "
            + "'\(other.resolved.descriptor.member)' is stored in",
          at: key.body.value(of: KeyField.name.text) ?? key.member,
          help: "give the key another `name`, or use another custom directory",
          notes: [.init("the other key", at: other.member.place)])
      }
    }
  }

  private func forEachKey(_ run: CatalogRun, _ body: (DecodedKey, Path) -> Void) {
    for document in run.documents {
      for key in document.keys where key.resolved.descriptor.domain.kind.isFile && key.hasPlace {
        guard let folder = Self.folder(key.resolved.descriptor.domain) else { continue }
        body(key, folder)
      }
    }
  }

  /// The folder of a domain below application support, or `nil` for a domain that stores values elsewhere.
  private static func folder(_ domain: StorageDomain) -> Path? {
    var path = Path(group: nil, parts: [])
    if case .appGroupFileSystem(let identifier, _) = domain { path.group = identifier?.lowercased() ?? "" }
    switch domain.directory {
    case .applicationSupport: return path
    case .custom(let text):
      path.parts = text.utf8.split(separator: UInt8(ascii: "/")).map {
        String(decoding: $0, as: UTF8.self).lowercased()
      }
      return path
    case .documents, .caches, nil: return nil
    }
  }

  /// The name of a value's file: ASCII letters, digits, `.`, `_` and `-` stay, and other bytes and a leading dot become
  /// `%XX`.
  ///
  /// - Parameter isCaseKept: Whether upper-case letters stay, as on Linux, or become `%XX` too.
  static func fileName(_ name: String, isCaseKept: Bool) -> String {
    var result = ""
    for (index, byte) in name.utf8.enumerated() {
      let isKept =
        Identifier.isLower(byte) || Identifier.isDigit(byte) || isCaseKept && Identifier.isUpper(byte)
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") && index > 0
      if isKept {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }
}
