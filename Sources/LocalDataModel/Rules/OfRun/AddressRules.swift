import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary

/// Checks the parts of addresses that the runtime would refuse. The decoder declares the two rules, and checks the rest.
struct UsableAddressRule: RunRule {
  /// The most bytes of a file's name, which the name of a suite or a group becomes.
  private static let longestName = 200

  func check(_ run: CatalogRun, _ findings: inout Findings) {
    for document in run.documents {
      for key in document.keys where key.isSound(KeyFieldSet(.domain)) {
        if let problem = Self.problem(key.resolved.descriptor.domain) {
          findings.about(key) { problem.report(at: key.node(of: .domain, defaults: document.defaults), &$0) }
        }
        for source in key.resolved.migration?.inlineSources ?? [] {
          if let problem = Self.problem(source.domain) {
            findings.about(key) { problem.report(at: key.migrationNode ?? key.member, &$0) }
          }
        }
      }
      for reserved in document.reserved {
        Self.problem(reserved.resolved.domain)?.report(at: reserved.node, &findings)
      }
    }
  }

  private struct Problem {
    var rule: Rule
    var message: String
    var help: String

    func report(at node: SyntaxNode, _ findings: inout Findings) {
      findings.report(rule, message, at: node, help: help)
    }
  }

  private static func problem(_ domain: StorageDomain) -> Problem? {
    // The decoder checks configured names.
    switch domain {
    case .userDefaults(let suite): suite.flatMap(suiteProblem)
    case .appGroupUserDefaults(let identifier): identifier.flatMap(groupProblem)
    case .keychain: nil
    case .fileSystem(let directory), .encryptedFileSystem(let directory): directoryProblem(directory)
    case .appGroupFileSystem(let identifier, let directory):
      identifier.flatMap(groupProblem) ?? directoryProblem(directory)
    }
  }

  private static func suiteProblem(_ suite: String) -> Problem? {
    if ConfiguredName(text: suite) != nil { return nil }
    let problem: String
    if suite.utf8.first == UInt8(ascii: ".") {
      problem = "the suite '\(suite)' starts with a dot, which would make its file a hidden one"
    } else if FileAndFolderRule.fileName(suite, isCaseKept: true).utf8.count > longestName {
      problem = "the suite '\(suite)' is too long for the name of a file"
    } else {
      return nil
    }
    return Problem(rule: .invalidContainer, message: problem, help: "write it as in `suite: com.example.account`")
  }

  private static func groupProblem(_ identifier: String) -> Problem? {
    let isWellFormed = identifier.utf8.allSatisfy { byte in
      Identifier.isLower(byte) || Identifier.isUpper(byte) || Identifier.isDigit(byte) || byte == UInt8(ascii: ".")
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    guard ConfiguredName(text: identifier) == nil,
      !isWellFormed || identifier.utf8.first == UInt8(ascii: ".") || identifier.utf8.count > longestName
    else {
      return nil
    }
    return Problem(
      rule: .invalidContainer, message: "'\(identifier)' is not the identifier of an app group",
      help: "use ASCII letters, digits, '.', '-' and '_', as in `identifier: group.com.example.account`")
  }

  /// Parts are compared as bytes: for `Character`, a combining accent after a slash makes it another character.
  private static func directoryProblem(_ directory: FileDirectory) -> Problem? {
    guard case .custom(let path) = directory else { return nil }
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let problem: String
    if parts.contains(where: { $0.first == UInt8(ascii: ".") }) {
      problem = "a part of the path '\(path)' starts with a dot"
    } else if parts.contains(where: \.isEmpty) {
      problem = "the path '\(path)' has an empty part"
    } else {
      return nil
    }
    return Problem(
      rule: .invalidDirectory, message: problem,
      help: "write a path whose parts are visible folders: {custom: Reports/2024}")
  }
}

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
    if domain.kind.isAppGroup { path.group = domain.fields.identifier?.lowercased() ?? "" }
    switch domain.directory {
    case .applicationSupport: return path
    case .custom(let text):
      path.parts = text.utf8.split(separator: UInt8(ascii: "/")).map {
        String(decoding: $0, as: UTF8.self).lowercased()
      }
      return path
    case .documents, .caches, .exact, nil: return nil
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

/// Checks that no two paths, of keys or of sources, are one file, and that none is the folder of another one.
struct FilePathRule: RunRule {
  private struct File {
    var name: String
    var node: SyntaxNode
    var key: DecodedKey?
  }

  func check(_ run: CatalogRun, _ findings: inout Findings) {
    let files = Self.files(run)
    let folders = Dictionary(files.flatMap { path, file in (1..<path.count).map { (Array(path.prefix($0)), file) } }) {
      first, _ in first
    }
    var first: [[String]: File] = [:]
    for (path, file) in files {
      if let other = first.updateValue(file, forKey: path) {
        // Two keys of one domain are the finding of another rule.
        let domains = [file.key, other.key].compactMap { $0?.resolved.descriptor.domain }
        if domains.count == 2, domains[0] == domains[1] { continue }
        report(.samePlace, file, "are the same file", other, &findings)
      } else if let other = folders[path] {
        report(.fileAndFolder, file, "are a file and its folder", other, &findings)
      }
    }
  }

  /// The files with their paths, in lower case. The names of a family are known at run time only.
  private static func files(_ run: CatalogRun) -> [([String], File)] {
    var files: [([String], File)] = []
    func add(_ domain: ForeignDomainDraft, _ file: File) {
      let group = domain.kind.isAppGroup ? "group " + (domain.identifier ?? "") : ""
      files.append(([group] + domain.parts, file))
    }
    for document in run.documents {
      for key in document.keys where key.hasPlace && key.resolved.parameters.isEmpty {
        let descriptor = key.resolved.descriptor
        guard let directory = descriptor.domain.directory?.exact else { continue }
        var domain = ForeignDomainDraft(descriptor.domain.kind)
        domain.directory = directory
        domain.identifier = descriptor.domain.fields.identifier
        domain.path = descriptor.name
        add(domain, File(name: descriptor.member, node: key.member, key: key))
      }
    }
    for source in run.records.sources {
      guard let domain = source.draft.domain, domain.directory != nil, domain.path != nil else { continue }
      add(domain, File(name: source.member.text, node: source.member, key: nil))
    }
    return files
  }

  private func report(_ rule: Rule, _ file: File, _ problem: String, _ other: File, _ findings: inout Findings) {
    findings.about(file.key) {
      $0.report(
        rule, "'\(file.name)' and '\(other.name)' \(problem)", at: file.node, help: "write another `path`",
        notes: [.init("the other one", at: other.node.place)])
    }
  }
}

/// Checks that files with a path are not encrypted.
struct PathSecurityRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    let descriptor = key.resolved.descriptor
    guard descriptor.domain.isExact, descriptor.security != .none, key.isSound(KeyFieldSet(.domain, .security)) else {
      return
    }
    findings.report(
      .invalidPath, PathSecurity.problem, at: key.node(of: .security, defaults: defaults), help: PathSecurity.help)
  }
}
