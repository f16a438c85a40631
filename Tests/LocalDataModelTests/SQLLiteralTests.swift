import LocalDataModel
import Foundation
import Testing

/// The defaults of columns. Rows that are older than a field have them, so they are what the runtime writes for the value.
struct SQLLiteralTests {
  private static let types = [
    "Word": ResolvedType(
      name: "Word", description: "", line: 1,
      form: .stringEnum([
        .init(name: "a", raw: "it's", description: nil), .init(name: "b", raw: "\0", description: nil),
      ])),
    "Level": ResolvedType(
      name: "Level", description: "", line: 1, form: .intEnum([.init(name: "a", raw: -5, description: nil)])),
  ]

  @Test(
    arguments: [
      (.string("it's"), .scalar(.string), "'it''s'"),
      (.string("a\0b"), .scalar(.string), nil),
      (.bool(true), .optional(.scalar(.bool)), "1"),
      (.integer("-5"), .scalar(.int8), "-5"),
      (.floating("0.1"), .scalar(.double), "0.1"),
      (.floating("0.1"), .optional(.scalar(.float)), "0.10000000149011612"),
      (.data([0, 254]), .scalar(.data), "x'00fe'"),
      (.date(seconds: 978_307_200.5, text: ""), .scalar(.date), "0.5"),
      (.uuid("01234567-89AB-CDEF-0123-456789ABCDEF"), .scalar(.uuid), "x'0123456789abcdef0123456789abcdef'"),
      (.enumCase("a"), .declared("Word"), "'it''s'"),
      (.enumCase("b"), .declared("Word"), nil),
      (.enumCase("a"), .optional(.declared("Level")), "-5"),
      (.list([]), .list(.scalar(.string)), "x''"),
      (.list([.string("a")]), .list(.scalar(.string)), nil),
      (.swift(SwiftName("Defaults.name")), .scalar(.string), nil),
    ] as [(DefaultValue, ValueType, String?)])
  func isTheValueOfTheColumn(_ value: DefaultValue, _ type: ValueType, _ literal: String?) {
    #expect(SQLLiteral.text(value, of: type, Self.types) == literal)
  }

  /// Foundation's description has no exponent, and the zeros at the end of the literal are not in the number.
  @Test(arguments: [
    "0", "-0", "3.10", "0.50", "100", "007", "1e5", "1.50E+3", "12.5e-4", "-12e-1", "0.0e7", "1.2345e2", "-0.001",
    "5e-0",
  ])
  func aDecimalHasTheTextOfTheRuntime(_ digits: String) throws {
    let number = try #require(Decimal(string: digits))
    let text = SQLLiteral.text(.decimal(digits), of: .scalar(.decimal), [:])
    #expect(text == "'\(number)'")
  }
}
