import LocalDataModel
import LocalDataSyntax

/// The catalogs of the app on the paired device, with which a target compares the keys that it sends.
struct PairedCatalogs {
  /// The checked catalogs, or nil if the target names none or if they have errors.
  package var catalogs: [ResolvedCatalog]?
  /// The files of the catalogs.
  package var sources: [SourceFile] = []
  /// The finding that keys cannot be compared, because the catalogs have errors.
  var problem: Diagnostic?

  /// Reads the catalogs that a target is paired with.
  package static func read(of target: Project.Target, _ project: Project) throws -> PairedCatalogs {
    guard !target.pairedWith.isEmpty else { return PairedCatalogs() }
    // What the target of the other app excludes is not part of it.
    let excluded = project.targets.filter { !Set($0.catalogs).isDisjoint(with: target.pairedWith) }.flatMap(\.exclude)
    let selection = try CatalogFinder.find(target.pairedWith, excluding: excluded)
    try selection.checkExists()
    return try checked(selection)
  }

  /// Reads and checks catalogs by the rules of the language.
  package static func checked(_ selection: CatalogSelection) throws -> PairedCatalogs {
    let sources = try GeneratorPipeline.read(selection)
    let results = sources.concurrentMap { CatalogReader.read($0) }
    let trees = results.compactMap(\.tree)
    guard trees.count == results.count else { return PairedCatalogs(errors: results.flatMap(\.diagnostics)) }
    let (catalogs, findings) = CatalogResolver.resolve(trees)
    let errors = findings.filter { $0.severity == .error }
    return errors.isEmpty ? PairedCatalogs(catalogs: catalogs, sources: sources) : PairedCatalogs(errors: errors)
  }
}

extension PairedCatalogs {
  private init(errors: [Diagnostic]) {
    guard let first = errors.first else { return }
    let path = first.place?.file.path ?? ""
    problem = Diagnostic(
      rule: first.rule,
      "the keys of the paired device cannot be compared, because its catalogs have errors: "
        + first.message, at: first.place, help: "run `local-data validate \(path)`, and solve the errors first")
  }
}
