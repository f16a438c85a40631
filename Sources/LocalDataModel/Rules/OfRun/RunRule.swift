/// A check of all catalogs of a run.
protocol RunRule: Sendable {
  func check(_ run: CatalogRun, _ findings: inout Findings)
}

extension ResolvedMigration {
  /// The sources that are described in the migration itself.
  var inlineSources: [Inline] {
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
