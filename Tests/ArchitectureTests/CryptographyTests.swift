import Foundation
import Testing

/// On Apple's platforms the package uses CryptoKit and CommonCrypto, and compiles nothing of swift-crypto.
struct CryptographyTests {
  private static let modules = ["Crypto", "CryptoExtras"]

  /// A target that depends on swift-crypto without a condition compiles BoringSSL on Apple's platforms.
  @Test func swiftCryptoIsADependencyOnLinuxOnly() throws {
    let manifest = try String(contentsOf: SwiftFile.package.appendingPathComponent("Package.swift"), encoding: .utf8)
      .filter { !$0.isWhitespace }
    let uses = manifest.split(separator: #"package:"swift-crypto""#, omittingEmptySubsequences: false).dropFirst()
    #expect(uses.count >= 3)
    for use in uses {
      #expect(use.hasPrefix(",condition:.when(platforms:[.linux]"), "\(use.prefix(60))")
    }
  }

  @Test(arguments: [
    ("LocalDataSystem", "Sources"), ("LocalDataSQLite", "Sources"), ("LocalDataStores", "Sources"),
    ("LocalData", "Sources"),
    ("LocalDataMaintenance", "Sources"), ("LocalDataRecords", "Sources"),
    ("LocalDataImport", "Sources"), ("LocalDataSigning", "Sources"),
    ("LocalDataBackup", "Sources"),
    ("LocalDataSync", "Sources"),
    ("LocalDataTesting", "Sources"),
    ("LocalDataSigningTests", "Tests"), ("LocalDataStoresTests", "Tests"),
  ])
  func swiftCryptoIsImportedOnlyWithoutCryptoKit(target: String, root: String) throws {
    let files = try SwiftFile.all(in: target, below: root)
    try #require(!files.isEmpty)
    for file in files {
      let everywhere = SwiftFile(name: file.name, lines: file.lines(outsideElseOf: "canImport(CryptoKit)"))
      #expect(everywhere.imports.filter(Self.modules.contains) == [], "\(file.name)")
    }
  }

  @Test(arguments: [
    ("import Crypto", 1),
    ("#if canImport(CryptoKit)\nimport CryptoKit\n#else\nimport Crypto\n#endif", 0),
    ("#if canImport(CryptoKit)\nimport CryptoKit\n#else\n#if os(Linux)\nimport Crypto\n#endif\n#endif", 0),
    ("#if canImport(CryptoKit)\nimport Crypto\n#else\n#endif", 1),
    ("#if canImport(CryptoKit)\n#else\n#endif\nimport Crypto", 1),
    ("#if os(Linux)\nimport CryptoKit\n#else\nimport Crypto\n#endif", 1),
    ("#if os(iOS)\n#elseif canImport(CryptoKit)\n#else\nimport Crypto\n#endif", 1),
  ])
  func branchesAreToldApart(text: String, found: Int) {
    let file = SwiftFile(name: "", lines: text.split(separator: "\n", omittingEmptySubsequences: false))
    let everywhere = SwiftFile(name: "", lines: file.lines(outsideElseOf: "canImport(CryptoKit)"))
    #expect(everywhere.imports.filter(Self.modules.contains).count == found)
  }
}

extension SwiftFile {
  /// The lines that are not in the `#else` branch of an `#if` with this condition. An `#elseif` ends the condition.
  fileprivate func lines(outsideElseOf condition: String) -> [Substring] {
    var branches: [(condition: Substring, isElse: Bool)] = []
    return lines.filter { line in
      let text = line.drop { $0 == " " }
      if text.hasPrefix("#if ") {
        branches.append((text.dropFirst(4), false))
      } else if text.hasPrefix("#else"), let branch = branches.popLast() {
        let isElse = text == "#else"
        branches.append((isElse ? branch.condition : "", isElse))
      } else if text.hasPrefix("#endif") {
        _ = branches.popLast()
      }
      return !branches.contains { $0.isElse && $0.condition == condition }
    }
  }
}
