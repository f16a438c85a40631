import LocalData
import LocalDataImport
import RuntimeTestSupport
import Testing

/// The code of the article about imports.
struct DocumentedImportTests {
  @Test func theArticleRuns() async throws {
    let stores = try OldStores()
    try stores.writeNotes()
    let router = try stores.launch()
    try await router.imports.run { print("\($0.record): \($0.completed) of \($0.total)") }
    for report in try await router.imports.reports() {
      print(report.record, report.imported, report.leftOut)  // Credential 12 1
    }
    try await router.imports.removeSources()
    #expect(try await router.imports.reports().map(\.isSourcePresent) == [false])
  }
}
