import LocalDataEmission
import LocalDataFiles
import ArgumentParser
import LocalDataComparison
import LocalDataDocuments
import LocalDataModel
import LocalDataSyntax

/// `fixtures`: writes the tests that read with today's code what each release has stored.
struct FixturesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fixtures",
    abstract: "Write a test that keeps what each release has stored, and reads it with today's code.",
    discussion: """
      For each catalog, <Base>FixtureTests.swift and <Base>FixtureKeys.swift are written again whenever it changes, and \
      <Base>FixtureValues.swift once: you edit its values. The test of a database fails until each release that has it is \
      recorded. The test target depends on the product LocalDataTesting, and \
      excludes its folder Fixtures.
      """)

  @OptionGroup var catalogs: CatalogArguments

  @Option(help: "The module that contains the generated keys.")
  var module: String

  @Option(
    name: .shortAndLong, help: "The folder of the tests (default: Tests/<module>Tests).", completion: .directory)
  var output: String?

  @Flag(help: "Write nothing; print a diff and exit with 1 if a test is stale.")
  var check = false

  @Option(help: "The form of findings, on standard error.")
  var diagnostics = FindingsFormat.text

  func validate() throws {
    guard module.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil else {
      throw ValidationError("'\(SafeText.escaped(module))' is not the name of a module.")
    }
    try checkPath(output, of: "--output")
  }

  func run() throws {
    let folder = try OutputFolder(path: output ?? "Tests/\(module)Tests", documents: "Fixtures")
    let selection = try catalogs.existing()
    let resolution = try GeneratorPipeline.resolve(GeneratorPipeline.read(selection), catalogs.checks())
    let isColored = catalogs.isColored(on: .error)
    let resolved = try GeneratorPipeline.report(resolution, as: diagnostics, isColored: isColored)
    let fixtures = FixtureSource.emit(resolved, module: module, releases: try Self.releases(of: selection))
    let paths = Dictionary(resolved.map { ("\($0.baseName)FixtureValues.swift", $0.path) }) { first, _ in first }
    let outputs = fixtures.flatMap { fixture in
      fixture.tests.map { Output(file: $0, source: paths[fixture.values.path] ?? "") }
    }
    let plan = try GeneratorPipeline.plan(outputs, of: selection, for: folder)
    guard check else {
      try folder.apply(plan)
      try Terminal.write(Self.report(of: plan, in: folder))
      for fixture in fixtures { try writeValues(fixture, in: folder) }
      return try reportLeftValues(plan, in: folder)
    }
    let difference = try folder.difference(plan)
    guard difference.isEmpty else {
      try Terminal.write(SafeText.lines(String(decoding: difference, as: UTF8.self)))
      throw ToolExit.findings
    }
  }

  /// Returns the releases that have rows in a database, by its member.
  private static func releases(of selection: CatalogSelection) throws -> [String: [String]] {
    var releases: [String: Set<String>] = [:]
    for path in try SnapshotFolder.all(of: selection).filter(\.exists).flatMap({ try $0.snapshots() }) {
      let state = try ReleaseCheck.baseline(path, besides: nil).state
      guard !state.records.isEmpty else { continue }
      // The name becomes Swift source.
      guard let version = SnapshotFolder.version(of: path) else {
        throw ToolFailure(
          .wrongUse, "the snapshot '\(path)' is not named for a version",
          help: "rename it to that of its release, for example 1.2.json")
      }
      for record in state.records.values { releases[record.database, default: []].insert(version.text) }
    }
    return releases.mapValues { $0.map(ReleaseVersion.init).sorted().map(\.text) }
  }

  /// Returns a line for each file that was written or removed, or one line if the tests are up to date.
  private static func report(of plan: OutputPlan, in folder: OutputFolder) -> String {
    func lines(_ verb: String, _ paths: [String]) -> [String] {
      paths.map { "\(verb) '\(SafeText.escaped(folder.file($0)))'\n" }
    }
    let lines = lines("wrote", plan.written.map(\.path)) + lines("removed", plan.removed)
    return lines.isEmpty ? "the tests are up to date\n" : lines.joined()
  }

  /// The developer edits the values. If the file exists, only the declarations that it lacks are printed.
  private func writeValues(_ source: FixtureSource, in folder: OutputFolder) throws {
    guard let values = try folder.read(source.values.path) else {
      try folder.create(source.values)
      return try Terminal.write("wrote '\(SafeText.escaped(folder.file(source.values.path)))'; edit its values\n")
    }
    let text = String(decoding: values, as: UTF8.self)
    let missing = source.declarations.filter { member, _ in
      !text.contains("var \(member):") && !text.contains("var `\(member)`:")
        && !text.contains("let \(member):") && !text.contains("let `\(member)`:")
    }
    guard !missing.isEmpty else { return }
    try Terminal.write("add to \(SafeText.escaped(source.values.path)):\n")
    for (_, text) in missing { try Terminal.write("  \(text)\n") }
  }

  /// The values and recordings of a catalog that was renamed are not removed, because the developer made them.
  private func reportLeftValues(_ plan: OutputPlan, in folder: OutputFolder) throws {
    let suffix = "FixtureTests.swift"
    for path in plan.removed where path.hasSuffix(suffix) {
      let base = path.dropLast(suffix.count)
      let values = "\(base)FixtureValues.swift"
      guard try folder.read(values) != nil else { continue }
      try Terminal.write(
        "\(SafeText.escaped(values)) and Fixtures/\(SafeText.escaped(String(base))) are of a catalog that is gone: "
          + "rename them with the catalog, or remove them\n")
    }
  }
}
