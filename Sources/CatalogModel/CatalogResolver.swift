package import CatalogSyntax
import StorageVocabulary

/// Resolves the parsed catalogs of a run to checked, complete catalogs.
package enum CatalogResolver {
  /// Returns the catalogs in the order given, and the findings, sorted by file and place. If a finding is an error, no
  /// catalogs are returned.
  package static func resolve(_ trees: [SyntaxTree]) -> (catalogs: [ResolvedCatalog], diagnostics: [Diagnostic]) {
    let (catalogs, report) = resolve(trees, FindingsPass())
    return (catalogs, report.findings)
  }

  /// Returns the catalogs in the order given, none if a finding is an error, and the report of all findings.
  package static func resolve(
    _ trees: [SyntaxTree], _ pass: FindingsPass, project: Project = Project()
  ) -> (catalogs: [ResolvedCatalog], report: FindingsReport) {
    resolve(trees, pass, project: project, further: { _ in nil })
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
    let run = CatalogRun.checked(trees, project, paired: paired)
    let allowances =
      run.documents.flatMap { $0.keys.flatMap(\.allowances) } + run.records.all.flatMap(\.draft.allowances)
    let files = trees.map(\.source)
    let unpaired: Set<String> = paired == nil ? [Rule.unpairedKey.id] : []
    let uncompared = unpaired.union(Rule.ofReleases.map(\.id))
    let found = run.context.findings.all + ReviewEndedRule(today: pass.today).findings(in: run)
    let report = pass.report(found, allowances: allowances, files: files, unchecked: uncompared)
    guard !report.hasErrors else { return ([], report) }
    let catalogs = run.resolved()
    guard let more = try further(catalogs) else { return (catalogs, report) }
    let whole = pass.report(
      found + more.findings, allowances: allowances, files: files,
      unchecked: more.areOfAllReleases ? unpaired : uncompared)
    return (whole.hasErrors ? [] : catalogs, whole)
  }
}

/// The findings of a comparison with releases.
package struct ReleaseFindings {
  package var findings: [Diagnostic]
  /// A Boolean value that indicates whether the catalogs were compared with every release, and not with one state. Only then
  /// an allowance of such a finding can be one too many.
  package var areOfAllReleases: Bool

  package init(_ findings: [Diagnostic], areOfAllReleases: Bool) {
    self.findings = findings
    self.areOfAllReleases = areOfAllReleases
  }
}

extension CatalogRun {
  /// Returns a run in which every rule and policy was asked.
  static func checked(_ trees: [SyntaxTree], _ project: Project, paired: [ResolvedCatalog]? = nil) -> CatalogRun {
    var run = CatalogRun.decode(trees)
    run.paired = paired
    run.resolveMigrations()
    run.applyRules()
    run.apply(project)
    return run
  }

  /// Asks what the project file asks of each key.
  private mutating func apply(_ project: Project) {
    guard project.owners != nil || !project.policies.isEmpty else { return }
    for document in documents {
      for key in document.keys where key.failed.isEmpty {
        let owner = key.resolved.descriptor.owner
        if let owners = project.owners, !owners.contains(owner) {
          let suggestion = context.suggestion(for: owner, among: owners)
          context.findings.about(key) {
            $0.report(
              .unknownOwner, "'\(owner)' is not an owner that the project file lists\(suggestion)",
              at: key.node(of: .owner, defaults: document.defaults), help: "use one of \(owners.listing)")
          }
        }
        for policy in project.policies {
          if let finding = policy.finding(about: key) { context.findings.append(finding) }
        }
      }
    }
  }
}
