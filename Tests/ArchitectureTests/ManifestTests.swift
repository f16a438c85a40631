import Foundation
import Testing

/// Tests of Package.swift.
struct ManifestTests {
  /// SwiftPM runs pkg-config for every system library of a manifest, and warns if a Mac does not have it.
  @Test func onlyLinuxHasALibraryForTheKeyring() throws {
    let manifest = try String(contentsOf: SwiftFile.package.appendingPathComponent("Package.swift"), encoding: .utf8)
    let elsewhere = manifest.replacing(/#if os\(Linux\)\n[\s\S]*?#(else|endif)/, with: "")
    #expect(manifest.contains("\"libsecret-1\""))
    #expect(!elsewhere.contains("\"libsecret-1\""))
  }
}
