import Foundation
import Testing

@testable import LocalDataModel

/// Texts of scalars, checked without Foundation and against it.
@Suite struct ScalarTextTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1), ("2000-02-29T00:00:00Z", 951_782_400),
    ("2024-02-29T12:00:00.5Z", 1_709_208_000.5), ("2024-02-29T13:00:00+01:00", 1_709_208_000),
    ("2024-02-29t07:30:00-04:30", 1_709_208_000), ("0001-01-01T00:00:00Z", -62_135_596_800),
    ("9999-12-31T23:59:59z", 253_402_300_799),
  ])
  func date(_ text: String, _ want: Double) {
    #expect(DateText.seconds(text) == want)
  }

  @Test func datesOfEveryDayAgreeWithFoundation() throws {
    let formatter = ISO8601DateFormatter()
    for day in stride(from: -30_000, to: 60_000, by: 17) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 3_723)
      #expect(DateText.seconds(formatter.string(from: date)) == date.timeIntervalSince1970)
    }
  }

  @Test(arguments: [
    "", "2024-01-01", "2024-01-01 00:00:00Z", "2024-01-01T00:00:00", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
    "2024-00-01T00:00:00Z", "2024-13-01T00:00:00Z", "2024-04-31T00:00:00Z", "2024-01-00T00:00:00Z",
    "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:60Z", "2024-01-01T00:00:00.Z",
    "2024-01-01T00:00:00+25:00", "2024-01-01T00:00:00+0100", "2024-01-01T00:00:00Zx", "24-01-01T00:00:00Z",
  ])
  func noDate(_ text: String) {
    #expect(DateText.seconds(text) == nil)
  }

  @Test(arguments: [
    ("", []), ("AAEC", [0, 1, 2]), ("AA==", [0]), ("//8=", [255, 255]), ("+/+/", [0xFB, 0xFF, 0xBF]),
  ])
  func base64(_ text: String, _ want: [UInt8]) {
    #expect(Base64Text.bytes(text) == want)
  }

  @Test(arguments: ["A", "AA", "AAE", "AB==", "AAF=", "A===", "====", "AA=A", "AA-_", "AA E"])
  func noBase64(_ text: String) {
    #expect(Base64Text.bytes(text) == nil)
  }

  @Test(arguments: [
    "https://example.com/", "http://user:pw@example.com:8080/a/b?c=d#e", "mailto:a@example.com", "file:///tmp/x",
    "http://[::1]:80/", "https://example.com/%20a", "urn:isbn:1",
  ])
  func url(_ text: String) {
    #expect(AddressText.isURL(text))
    #expect(URL(string: text) != nil)
  }

  @Test(arguments: [
    "", "example.com", "/path", "https:", "1http://a", "http://a b", "http://a/%2", "http://a:b/", "http://[::1/",
    "http://a/\u{7F}", "http://exämple.com", "http://a/[x]", "http://a/#b#c",
  ])
  func noURL(_ text: String) {
    #expect(!AddressText.isURL(text))
  }

  @Test func uuid() {
    #expect(AddressText.uuid("01234567-89ab-cdef-0123-456789abcdef") == "01234567-89AB-CDEF-0123-456789ABCDEF")
    #expect(AddressText.uuid("0123456789abcdef0123456789abcdef") == nil)
    #expect(AddressText.uuid("01234567-89ab-cdef-0123-456789abcdeg") == nil)
  }

  @Test(arguments: [
    ("1", "1.0"), ("-1.50", "-1.5"), ("1e3", "1000.0"), ("1E-2", "0.01"), ("1e300", "1e+300"), ("+2.5", "2.5"),
  ])
  func floating(_ text: String, _ want: String) throws {
    #expect(try NumberText.floating(text, Double.self) == want)
  }

  @Test(arguments: ["", "nan", "inf", ".5", "5.", "0x1p3", "1_000", "1e", "1,5", "--1", "1e999"])
  func noFloating(_ text: String) {
    #expect(throws: NumberText.Problem.self) { try NumberText.floating(text, Double.self) }
  }

  @Test(arguments: [("007", "7"), ("-0", "0"), ("+5", "5"), ("127", "127"), ("-128", "-128")])
  func integer(_ text: String, _ want: String) throws {
    #expect(try NumberText.integer(text, Int8.self) == want)
  }

  @Test(arguments: [
    ("128", NumberText.Problem.outOfRange), ("-129", .outOfRange), ("1.0", .notANumber), ("", .notANumber),
    ("-", .notANumber), ("0x10", .notANumber), ("1e2", .notANumber),
  ])
  func noInteger(_ text: String, _ want: NumberText.Problem) {
    #expect(throws: want) { try NumberText.integer(text, Int8.self) }
  }

  @Test(arguments: ["3.133", "-0.1", "1e10", "99999999999999999999999999999999999999"])
  func decimal(_ text: String) throws {
    let canonical = try NumberText.decimal(text)
    #expect(canonical == text)
    #expect(Decimal(string: canonical) != nil)
  }

  @Test(arguments: ["", "1.", "1e200", "999999999999999999999999999999999999999", "NaN"])
  func noDecimal(_ text: String) {
    #expect(throws: NumberText.Problem.self) { try NumberText.decimal(text) }
  }
}
