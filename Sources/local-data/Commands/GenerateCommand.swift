import LocalDataFiles
import ArgumentParser
import LocalDataDocuments
import LocalDataEmission
import LocalDataModel
import LocalDataSyntax

/// `generate`: writes typed keys and audit documents.
struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Write typed Swift keys, and the audit documents in the folder Audit beside them.",
    discussion: """
      Outputs of catalogs that are gone are removed, if they are unchanged and the arguments select their catalogs: \
      'generate Catalogs' removes the outputs of a catalog that was deleted from Catalogs.
      """)

  @OptionGroup var catalogs: CatalogArguments

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The folder of the outputs.",
      discussion: """
        The default is that of the project file. Without one, it is Generated beside each folder Catalogs, or Generated in \
        the current folder if a path is named.
        """),
    completion: .directory)
  var output: String?

  @Flag(help: "Write nothing; print a diff and exit with 1 if the output is stale.")
  var check = false

  @Flag(
    help: ArgumentHelp(
      "Write the Swift files only, and remove none. For build systems that know the outputs.",
      discussion: "Without the record in Audit, later runs cannot know which outputs to remove."))
  var swiftOnly = false

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Write only the files of a format; repeat it for several.",
      discussion: "Files of the other formats are neither written, compared nor removed.", valueName: "format"))
  var only: [CatalogEmitter.Format] = []

  @Option(
    help: ArgumentHelp(
      "Also write <Catalog>.proto to a folder: the stored form of the records, in the language of protobuf.",
      discussion: "Catalogs without records have none. The file of a catalog that is gone stays.", valueName: "folder"),
    completion: .directory)
  var proto: String?

  @Flag(help: "Generate again whenever a catalog changes, until interrupted.")
  var watch = false

  @Flag(name: .shortAndLong, help: "Print no summary.")
  var quiet = false

  @Option(help: "The form of findings, on standard error.")
  var diagnostics = FindingsFormat.text

  func validate() throws {
    try checkPath(output, of: "--output")
    try checkPath(proto, of: "--proto")
    if watch, check || catalogs.inputPath != nil {
      throw ValidationError("'--watch' can be combined neither with '--check' nor with '-'.")
    }
    if swiftOnly, !only.isEmpty { throw ValidationError("'--swift-only' cannot be combined with '--only'.") }
  }

  func run() throws {
    guard watch else { return try generate() }
    try CatalogWatcher(arguments: catalogs).run { try generate() }
  }

  private func generate() throws {
    let checks = try catalogs.checks()
    let targets = try catalogs.targets(of: checks.project)
    for target in targets {
      // A page of one of several targets in a folder would not be about all of its keys.
      let isShared = targets.count { $0.output == target.output } > 1
      try generate(target, checks, withPage: !isShared)
    }
  }

  private func generate(_ target: Project.Target, _ checks: Checks, withPage: Bool) throws {
    let folder = try OutputFolder(
      path: output ?? target.output ?? "Generated", documents: swiftOnly ? nil : "Audit",
      isOfBuildSystem: swiftOnly && output != nil)
    let selection = try catalogs.selection(of: target)
    let sources = try GeneratorPipeline.read(selection)
    let writesPage = try withPage && formats.contains(.html) && isWhole(selection, in: folder)
    let resolution = try GeneratorPipeline.resolve(sources, checks.of(target), releasesBeside: selection)
    let isColored = catalogs.isColored(on: .error)
    let resolved = try GeneratorPipeline.report(resolution, as: diagnostics, isColored: isColored)
    let page = writesPage && !resolved.isEmpty ? AuditPage(resolved, resolution.auditContext) : nil
    let outputs = GeneratorPipeline.emit(resolved, as: formats, page: page)
    let plan = try GeneratorPipeline.plan(outputs, of: selection, for: folder) { path, isGone in
      if path == CatalogEmitter.pagePath { return writesPage || resolved.isEmpty }
      return isGone || CatalogEmitter.format(of: path).map(formats.contains) ?? true
    }
    try selection.checkExists(except: plan.lost)
    try apply(plan, to: folder, of: resolved)
    if let proto { try write(ProtoEmitter.emit(resolved), to: proto, selection, resolved) }
  }

  /// Writes the files about records, or compares them.
  private func write(
    _ files: [GeneratedFile], to path: String, _ selection: CatalogSelection, _ catalogs: [ResolvedCatalog]
  ) throws {
    let folder = try OutputFolder(path: path, documents: nil)
    let sources = Dictionary(catalogs.map { ("\($0.baseName).proto", $0.path) }) { first, _ in first }
    let outputs = files.map { Output(file: $0, source: sources[$0.path] ?? "") }
    try apply(try GeneratorPipeline.plan(outputs, of: selection, for: folder), to: folder, of: catalogs)
  }

  /// The formats that the run writes.
  private var formats: Set<CatalogEmitter.Format> {
    if swiftOnly { return [.swift] }
    return only.isEmpty ? Set(CatalogEmitter.Format.allCases) : Set(only)
  }

  /// Returns true if a run has all catalogs of its folders, and all that have outputs in the output folder. Only then there is
  /// a page about them.
  private func isWhole(_ selection: CatalogSelection, in folder: OutputFolder) throws -> Bool {
    if try folder.hasOutputs(ofCatalogsNotIn: selection) { return false }
    // The project file can exclude catalogs of a folder, which are then none of this target.
    guard !catalogs.paths.isEmpty else { return true }
    return try SnapshotFolder.all(of: selection).allSatisfy { try $0.catalogs(notIn: selection).isEmpty }
  }

  private func apply(_ plan: OutputPlan, to folder: OutputFolder, of catalogs: [ResolvedCatalog]) throws {
    guard check else {
      try folder.apply(plan)
      if !quiet { try Terminal.write("\(Self.summary(of: catalogs)): \(plan.summary)\n") }
      return
    }
    let difference = try folder.difference(plan)
    guard difference.isEmpty else {
      try Terminal.write(SafeText.lines(String(decoding: difference, as: UTF8.self)))
      throw ToolExit.findings
    }
  }

  private static func summary(of catalogs: [ResolvedCatalog]) -> String {
    let keys = catalogs.reduce(0) { $0 + $1.keys.count }
    return "\(Quantity.text(catalogs.count, "catalog")), \(Quantity.text(keys, "key"))"
  }
}

extension CatalogEmitter.Format: ExpressibleByArgument {}
