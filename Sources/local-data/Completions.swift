import ArgumentParser
import CatalogModel
import CatalogSyntax

/// Words that shells complete, among them those of the project in the working folder. The shell runs the tool for them.
///
/// What cannot be read is not offered, and no error is printed while a line is being typed.
enum Completions {
  /// What `--warn` and `--allow` take.
  static let rules = CompletionKind.custom { _, _, _ in adjustable }
  /// What `--deny` takes.
  static let rulesOrWarnings = CompletionKind.custom { _, _, _ in [Severities.warnings] + adjustable }
  /// What `explain` takes.
  static let subjects = CompletionKind.custom { _, _, _ in RuleCatalog.all.map(\.id) + keys }

  private static var adjustable: [String] {
    RuleCatalog.adjustable + policies
  }

  private static var policies: [String] {
    guard let source = try? CatalogFile.read(ProjectFile.name), let tree = CatalogReader.read(source).tree else {
      return []
    }
    return Project.decode(tree).project.policies.map(\.id)
  }

  private static var keys: [String] {
    guard let selection = try? CatalogFinder.find([]), let sources = try? GeneratorPipeline.read(selection) else {
      return []
    }
    return KeyExplanation.members(in: sources.compactMap { CatalogReader.read($0).tree })
  }
}
