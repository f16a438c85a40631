import Testing

@testable import LocalDataModel

@Suite struct SpellingTests {
  @Test(arguments: [
    ("keychian", "keychain"), ("userdefaults", "userDefaults"), ("fileSytem", "fileSystem"), ("keychain", "keychain"),
    ("appGroupUserDefault", "appGroupUserDefaults"),
  ])
  func nearName(_ text: String, _ want: String) {
    let names = ["userDefaults", "appGroupUserDefaults", "keychain", "fileSystem", "encryptedFileSystem"]
    #expect(Spelling.nearest(to: text, among: names) == want)
  }

  @Test(arguments: ["", "sqlite", "x", "7", String(repeating: "keychain", count: 20)])
  func farName(_ text: String) {
    #expect(Spelling.nearest(to: text, among: ["userDefaults", "keychain", "a"]) == nil)
  }

  @Test(arguments: [("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("kitten", "sitting", 3), ("", "abc", 3)])
  func distance(_ left: String, _ right: String, _ want: Int) {
    #expect(Spelling.distance(Array(left.utf8), Array(right.utf8)) == want)
    #expect(Spelling.distance(Array(right.utf8), Array(left.utf8)) == want)
  }
}
