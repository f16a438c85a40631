package import LocalDataSyntax

/// The pass from parsed files to resolved catalogs. Each stage is a value, which the next one is made of:
///
///     [SyntaxTree]       the nodes of each file
///     CatalogFiles       the header of each file, and the nodes of its sections
///     TypedFiles         the types of all files, which every file can name
///     DecodedCatalogs    keys, databases and records, each by itself
///     CatalogRun         records with their databases, keys with the sources of their migrations
///     CheckedRun         the findings of the rules and of the project file
///     FindingsReport     what is reported of them
///     [ResolvedCatalog]  the catalogs, if nothing that is reported is an error
package enum CatalogResolver {
  /// Returns the links between the declarations of all files.
  ///
  /// - Parameter paired: The catalogs of the paired device, or nil if they are not known.
  static func link(_ trees: [SyntaxTree], paired: [ResolvedCatalog]? = nil) -> CatalogRun {
    let files = CatalogFiles(trees)
    let typed = TypedFiles(files)
    let decoded = DecodedCatalogs(typed)
    return CatalogRun(decoded, paired: paired)
  }

  /// Returns the run with all findings.
  static func check(_ trees: [SyntaxTree], _ project: Project, paired: [ResolvedCatalog]? = nil) -> CheckedRun {
    let run = link(trees, paired: paired)
    return CheckedRun(run, project)
  }

  /// Returns the catalogs in the order given, none if a finding is an error, and the report of all findings.
  ///
  /// - Parameters:
  ///   - project: What the project file asks of keys, besides the rules.
  ///   - paired: The catalogs of the paired device, or nil if keys that are sent are not compared with them.
  ///   - further: A comparison of catalogs without errors with releases, whose findings are part of the report; nil if they
  ///     are not compared.
  package static func resolve(
    _ trees: [SyntaxTree], _ pass: FindingsPass, project: Project, paired: [ResolvedCatalog]? = nil,
    further: ([ResolvedCatalog]) throws -> ReleaseFindings?
  ) rethrows -> (catalogs: [ResolvedCatalog], report: FindingsReport) {
    let checked = check(trees, project, paired: paired)
    let found = checked.findings + ReviewEndedRule(today: pass.today).findings(in: checked.run)
    let allowances = checked.allowances
    func report(_ findings: [Diagnostic], areCompared: Bool) -> FindingsReport {
      var unchecked: Set<String> = paired == nil ? [Rule.unpairedKey.id] : []
      if !areCompared { unchecked.formUnion(Rule.ofReleases.map(\.id)) }
      return pass.report(findings, allowances: allowances, files: trees.map(\.source), unchecked: unchecked)
    }
    let first = report(found, areCompared: false)
    guard !first.hasErrors else { return ([], first) }
    let catalogs = checked.run.resolved()
    guard let more = try further(catalogs) else { return (catalogs, first) }
    let whole = report(found + more.findings, areCompared: more.areOfAllReleases)
    return (whole.hasErrors ? [] : catalogs, whole)
  }
}

extension CatalogResolver {
  /// Returns the catalogs in the order given, none if a finding is an error, and the report of all findings.
  package static func resolve(
    _ trees: [SyntaxTree], _ pass: FindingsPass, project: Project = Project()
  ) -> (catalogs: [ResolvedCatalog], report: FindingsReport) {
    resolve(trees, pass, project: project, further: { _ in nil })
  }

  /// Returns the catalogs in the order given, and the findings, sorted by file and place. If a finding is an error, no
  /// catalogs are returned.
  package static func resolve(_ trees: [SyntaxTree]) -> (catalogs: [ResolvedCatalog], diagnostics: [Diagnostic]) {
    let (catalogs, report) = resolve(trees, FindingsPass())
    return (catalogs, report.findings)
  }
}
