import LocalDataDocuments
import LocalDataFiles
import ArgumentParser
import LocalDataModel
import LocalDataSyntax

/// The words that a shell offers for an argument. The shell runs the tool to ask for them.
///
/// Keys and policies are those of the project in the working folder. Anybody may have written them, and bash expands the
/// words that it gets: it would run the program in `$(…)`. So a word from a file is offered only if no shell expands it.
enum Completions {
  /// The words for `--warn` and `--allow`.
  static let rules = CompletionKind.custom { _, _, _ in adjustable }
  /// The words for `--deny`.
  static let rulesOrWarnings = CompletionKind.custom { _, _, _ in [Severities.warnings] + adjustable }
  /// The words for `explain`.
  static let subjects = CompletionKind.custom { _, _, _ in RuleCatalog.all.map(\.id) + plain(keys) }

  private static var adjustable: [String] {
    RuleCatalog.adjustable + plain(policies)
  }

  private static var policies: [String] {
    let trees = trees { [try CatalogFile.read(ProjectFile.name)] }
    return trees.flatMap { Project.decode($0).project.policies.map(\.id) }
  }

  private static var keys: [String] {
    let trees = trees { try GeneratorPipeline.read(try CatalogFinder.find([])) }
    return KeyExplanation.members(in: trees) + RecordExplanation.names(in: trees)
      + UnmanagedExplanation.names(in: trees)
  }

  /// Returns the words that have the same meaning in every shell: a letter, then letters, digits, `_` and `-`.
  private static func plain(_ words: [String]) -> [String] {
    words.filter { $0.wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]*/) != nil }
  }

  /// Returns the trees of the files that can be read and parsed.
  ///
  /// Errors are ignored: the shell has no place to show them while a line is typed, and the command itself reports them.
  private static func trees(of sources: () throws -> [SourceFile]) -> [SyntaxTree] {
    do {
      return try sources().compactMap { CatalogReader.read($0).tree }
    } catch {
      return []
    }
  }
}
