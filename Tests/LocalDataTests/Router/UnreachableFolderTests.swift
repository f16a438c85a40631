import Foundation
import LocalDataTesting
import ProbeKeys
import RuntimeTestSupport
import LocalDataVocabulary
import TestSupport
import Testing

@testable import LocalData

/// Folders on a volume that is not mounted: no value is absent, and nothing is created.
@Suite struct UnreachableFolderTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private var folder: URL { scratch.url }

  private func key(_ address: ProbeAddress) -> StorageKey<Int> {
    StorageKey(
      name: "counter", domain: address.domain, security: address.security, default: 0, owner: "Tests",
      description: "A counter.")
  }

  private func router(_ roots: StorageRoots) -> StorageRouter {
    StorageRouter(configuration: StorageConfiguration(applicationName: "Test", roots: roots))
  }

  private func errors(_ router: StorageRouter, _ key: StorageKey<Int>) async -> [StorageError?] {
    [
      await #expect(throws: StorageError.self) { try await router.get(key) },
      await #expect(throws: StorageError.self) { try await router.exists(key) },
      await #expect(throws: StorageError.self) { try await router.set(1, for: key) },
      await #expect(throws: StorageError.self) { try await router.remove(key) },
      await #expect(throws: StorageError.self) { try await router.update(key) { $0 += 1 } },
    ]
  }

  #if os(Linux)
    private static let addresses = ProbeAddress.allCases
  #else
    private static let addresses = [ProbeAddress.files, .encryptedFiles, .groupFiles]
  #endif

  /// `~/.local/share` is a link to a volume that is mounted later.
  @Test(arguments: addresses, ["share", "share/apps"])
  func aLinkThatLeadsNowhereIsNotAbsence(_ address: ProbeAddress, _ place: String) async throws {
    let volume = folder.appendingPathComponent("volume")
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("share"), withDestinationURL: volume)
    let roots = StorageRoots(below: folder.appendingPathComponent(place))
    let key = key(address)
    for error in await errors(router(roots), key) {
      guard error?.code == .folderUnavailable else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["share"])

    try FileManager.default.createDirectory(at: volume, withIntermediateDirectories: false)
    let mounted = router(roots)
    #expect(try await mounted.get(key) == 0)
    try await mounted.set(2, for: key)
    #expect(try await router(roots).get(key) == 2)
  }

  /// An empty mount point is a folder like any other one. Only the marker shows that the volume is missing.
  @Test(arguments: addresses) func aMissingMarkerIsNotAbsence(_ address: ProbeAddress) async throws {
    let volume = folder.appendingPathComponent("volume")
    try FileManager.default.createDirectory(at: volume, withIntermediateDirectories: false)
    var roots = StorageRoots(below: volume)
    let marker = volume.appendingPathComponent(".mounted")
    roots.marker = marker
    let key = key(address)
    for error in await errors(router(roots), key) {
      guard error?.code == .folderUnavailable else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: volume.path).isEmpty)

    try Data().write(to: marker)
    try await router(roots).set(2, for: key)
    #expect(try await router(roots).get(key) == 2)

    // A volume is not unmounted while a database on it is open.
    guard [.files, .encryptedFiles, .groupFiles].contains(address) else { return }
    try FileManager.default.removeItem(at: marker)
    await #expect(throws: StorageError.self) { try await router(roots).get(key) }
  }

  @Test func aFolderThatWasNeverCreatedIsAbsent() async throws {
    let router = router(StorageRoots(below: folder.appendingPathComponent("a/b/c")))
    for address in ProbeAddress.allCases { #expect(try await router.get(key(address)) == 0) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }
}
