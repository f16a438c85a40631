import Foundation
import LocalDataAudit
import LocalDataVocabulary
import Testing

/// Durations as catalogs write them, and retention around them.
struct RetentionTests {
  @Test(arguments: [("1s", 1), ("90m", 5_400), ("24h", 86_400), ("30d", 2_592_000), ("2w", 1_209_600)])
  func aDuration(_ text: String, _ want: Int) {
    #expect(Retention.seconds(text) == want)
  }

  @Test(arguments: ["", "d", "0d", "01d", "30", "-1d", "+1d", "1.5h", "1 d", "1D", "9223372036854775807w", "１d"])
  func noDuration(_ text: String) {
    #expect(Retention.seconds(text) == nil)
  }

  @Test(arguments: [
    (Retention.maxAge(seconds: 5_400), #"{"maxAge":"90m"}"#), (.untilRelaunch, #"{"until":"relaunch"}"#),
    (.untilReinstall, #"{"until":"reinstall"}"#),
  ])
  func comesBack(_ retention: Retention, _ json: String) throws {
    #expect(String(decoding: try JSONEncoder().encode(retention), as: UTF8.self) == json)
    #expect(try JSONDecoder().decode(Retention.self, from: Data(json.utf8)) == retention)
  }

  /// A descriptor may be read from a file that anyone wrote. No number in it may crash the process.
  @Test(arguments: [
    #"{"maxAge":"9223372036854775807w"}"#, #"{"maxAge":"0d"}"#, #"{"maxAge":""}"#, #"{"until":"never"}"#, #""maxAge""#,
  ])
  func isRefused(_ json: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Retention.self, from: Data(json.utf8)) }
  }
}
