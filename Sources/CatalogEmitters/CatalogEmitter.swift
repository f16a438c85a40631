package import CatalogModel
import Dispatch

/// Checked catalogs to files in memory: for each catalog `<Base>.swift`, `Audit/<Base>.md` and `Audit/<Base>.json`.
package enum CatalogEmitter {
  /// The files of all catalogs of a run, in the order of their paths.
  ///
  /// Emitters are pure and know nothing of each other, so that they run beside each other.
  package static func emit(_ catalogs: [ResolvedCatalog]) -> [GeneratedFile] {
    let modules = Set(catalogs.flatMap(\.imports))
    let jobs = catalogs.flatMap { catalog in Output.allCases.map { (catalog: catalog, output: $0) } }
    let files = [GeneratedFile](unsafeUninitializedCapacity: jobs.count) { slots, count in
      // Each iteration initializes the slot of its own index, and all have ended before the slots are read.
      nonisolated(unsafe) let slots = slots
      DispatchQueue.concurrentPerform(iterations: jobs.count) { index in
        let file = jobs[index].output.file(of: jobs[index].catalog, modules: modules)
        slots.initializeElement(at: index, to: file)
      }
      count = jobs.count
    }
    return files.sorted { $0.path < $1.path }
  }

  /// What a catalog becomes.
  private enum Output: CaseIterable, Sendable {
    case swift, markdown, json

    func file(of catalog: ResolvedCatalog, modules: Set<String>) -> GeneratedFile {
      switch self {
      case .swift:
        GeneratedFile(path: "\(catalog.baseName).swift", bytes: SwiftEmitter.emit(catalog, modules: modules))
      case .markdown:
        GeneratedFile(path: "Audit/\(catalog.baseName).md", bytes: AuditFormat.markdown.render([catalog]))
      case .json:
        GeneratedFile(path: "Audit/\(catalog.baseName).json", bytes: AuditFormat.json.render([catalog]))
      }
    }
  }
}
