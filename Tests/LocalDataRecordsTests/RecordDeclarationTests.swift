@_spi(Generated) @testable import LocalDataRecords
import Testing

@Suite("Declarations of records") struct RecordDeclarationTests {
  @Test func aDeclarationHasItsColumnsInOrder() {
    let declaration = RecordDeclaration("Note", key: 2, [.init(2, "id", .text), .init(1, "text", .text)])
    #expect(declaration.columns.map(\.number) == [2, 1])
    #expect(declaration.maxSize == 1_048_576)
  }
}
