import CatalogSyntax
import StorageVocabulary

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
    switch domain {
    case .userDefaults(let suite): suite.flatMap(suiteProblem)
    case .appGroupUserDefaults(let identifier): identifier.flatMap(groupProblem)
    case .appGroupFileSystem(let identifier, let directory):
      identifier.flatMap(groupProblem) ?? directoryProblem(directory)
    case .fileSystem(let directory), .encryptedFileSystem(let directory): directoryProblem(directory)
    case .keychain: nil
    }
  }

  private static func suiteProblem(_ suite: String) -> Problem? {
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
    guard !isWellFormed || identifier.utf8.first == UInt8(ascii: ".") || identifier.utf8.count > longestName else {
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

extension ResolvedMigration {
  /// The sources that are described in the migration itself.
  fileprivate var inlineSources: [Inline] {
    steps.flatMap { step -> [Source] in
      switch step.action {
      case .move(let source), .transform(let source, _): [source]
      case .aggregate(let sources, _): sources
      case .secureInPlace, .custom: []
      }
    }.compactMap { source in
      if case .inline(let inline) = source { inline } else { nil }
    }
  }
}
