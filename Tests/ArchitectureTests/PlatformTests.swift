import Testing

/// The conditions of compilation.
struct PlatformTests {
  /// A platform that the package cannot be compiled for has no branches. visionOS is not declared, but can be compiled for.
  @Test func conditionsNameOnlyPlatformsThatCompile() throws {
    let platforms: Set = ["iOS", "watchOS", "macOS", "visionOS", "Linux"]
    for file in try SwiftFile.all(in: "") {
      for line in conditions(of: file) {
        let named = line.matches(of: /\bos\((\w+)\)/).map { String($0.1) }
        #expect(platforms.isSuperset(of: named), "\(file.name): \(line)")
      }
    }
  }

  /// The sandbox of macOS denies with the error that means a locked device on iOS.
  @Test func catalystIsNoLockedDevice() throws {
    let file = try #require(try SwiftFile.all(in: "").first { $0.name == "SystemCall.swift" })
    let condition = try #require(conditions(of: file).first)
    #expect(condition.contains("(os(iOS) && !targetEnvironment(macCatalyst))"))
  }

  private func conditions(of file: SwiftFile) -> [Substring] {
    file.lines.filter { $0.contains("os(") && $0.drop { $0 == " " }.hasPrefix("#") }
  }
}
