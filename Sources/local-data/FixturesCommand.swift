import ArgumentParser
import CatalogEmitters
import CatalogSyntax

/// `fixtures`: the test that keeps what each release has stored, and reads it by today's code.
struct FixturesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fixtures",
    abstract: "Write a test that keeps what each release has stored, and reads it by today's code.",
    discussion: """
      For each catalog <Base>FixtureTests.swift and <Base>FixtureKeys.swift are written anew, and \
      <Base>FixtureValues.swift once: its values are yours to edit. The test target depends on the product LocalDataTesting, and excludes its folder Fixtures.
      """)

  @OptionGroup var catalogs: CatalogArguments

  @Option(help: "The module that the generated keys are in.")
  var module: String

  @Option(name: .shortAndLong, help: "The folder of the tests (default: Tests/<module>Tests).")
  var output: String?

  @Flag(help: "Write nothing; print a diff and exit with 1 where a test is stale.")
  var check = false

  @Option(help: "The form of findings, on standard error.")
  var diagnostics = DiagnosticRenderer.Format.text

  func validate() throws {
    guard module.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil else {
      throw ValidationError("'\(SafeText.escaped(module))' is not the name of a module.")
    }
  }

  func run() throws {
    let sources = FixtureSource.emit(try catalogs.resolved(diagnostics: diagnostics), module: module)
    let folder = TestFolder(path: output ?? "Tests/\(module)Tests")
    guard check else {
      try folder.commit(sources.flatMap(\.tests))
      for source in sources { try writeValues(source, in: folder) }
      return
    }
    let difference = try folder.difference(to: sources.flatMap(\.tests))
    guard difference.isEmpty else {
      Terminal.write(difference, to: .output)
      throw ExitCode(.findings)
    }
  }

  /// The values are the developer's: where they are there already, what they lack is printed.
  private func writeValues(_ source: FixtureSource, in folder: TestFolder) throws {
    guard let values = try folder.read(source.values.path) else { return try folder.create(source.values) }
    let text = String(decoding: values, as: UTF8.self)
    let missing = source.declarations.filter { member, _ in
      !text.contains("var \(member):") && !text.contains("var `\(member)`:")
        && !text.contains("let \(member):") && !text.contains("let `\(member)`:")
    }
    guard !missing.isEmpty else { return }
    Terminal.write("\(SafeText.escaped(source.values.path)) is yours, and lacks:\n", to: .output)
    for (_, text) in missing { Terminal.write("  \(text)\n", to: .output) }
  }
}
