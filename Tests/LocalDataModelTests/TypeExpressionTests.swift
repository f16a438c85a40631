import Testing

@testable import LocalDataModel

@Suite struct TypeExpressionTests {
  @Test(
    arguments: [
      ("String", .name("String")), ("Models.Profile", .name("Models.Profile")), ("[String]", .list(.name("String"))),
      ("[String: Int]", .map(key: .name("String"), value: .name("Int"))),
      ("[ String:Int ]", .map(key: .name("String"), value: .name("Int"))), ("Set<UUID>", .set(.name("UUID"))),
      ("[[Int]]", .list(.list(.name("Int")))),
      ("[String: Set<Int>]?", .optional(.map(key: .name("String"), value: .set(.name("Int"))))),
      ("[Int?]", .list(.optional(.name("Int")))),
    ] as [(String, TypeExpression)])
  func type(_ text: String, _ want: TypeExpression) throws {
    #expect(try TypeExpression.parse(text) == want)
  }

  @Test(arguments: [
    ("", "a type is missing after ''"), ("[", "a type is missing after '['"), ("[Int", "']' is missing after '[Int'"),
    ("Int]", "nothing may follow after 'Int'"), ("Int??", "one '?' is enough"),
    ("Dictionary<Int>", "a map is written [K: T], not Dictionary<K, T>"), ("Set<Int", "'>' is missing after 'Set<Int'"),
    ("Box<Int>", "'Box' takes no type between '<' and '>'"),
    (String(repeating: "[", count: 100) + "Int" + String(repeating: "]", count: 100), "a type has at most 16 levels"),
  ])
  func problem(_ text: String, _ want: String) {
    let problem = #expect(throws: TypeExpression.Problem.self) { try TypeExpression.parse(text) }
    #expect(problem?.message == want)
  }
}
