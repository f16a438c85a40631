import ExampleKeys
import Foundation
import LocalData
import LocalDataMaintenance

/// A run of the sample over one folder.
struct SampleRun {
  private let router: StorageRouter
  private let inspection: StorageInspection

  init(folder: URL) throws {
    let configuration = StorageConfiguration(
      applicationName: "storage-sample", roots: StorageRoots(below: folder),
      defaultKeychainService: "com.example.wallet")
    router = StorageRouter(configuration: configuration)
    inspection = StorageInspection(configuration: configuration, folder: folder)

    router.registerKeyMaterialProvider(SamplePassphrase(), for: KeyMaterialSource(id: "journal-passphrase"))
    router.registerKeyMaterialProvider(SampleSecureElement(), for: KeyMaterialSource(id: "secure-element"))
    try router.registerCatalog(SecureStorageSampleCatalog.self)
    try router.registerCatalog(WalletCatalog.self)
  }

  /// Both runs, in a folder that is removed.
  static func whole() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("storage-sample-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await SampleRun(folder: folder).writeAndRead()
    try await runAgain(folder)
  }

  private func writeAndRead() async throws {
    print("# Every key, written and read\n")
    for entry in SampleEntry.all {
      try await entry.write(router)
      guard try await entry.isStored(router) else { throw SampleError.notFoundAgain(entry.name) }
      print(try inspection.line(for: entry.key, named: entry.name))
    }
    print("\n# Every file\n")
    for line in try inspection.files() { print(line) }
    print("\n# The audit\n")
    print(StorageAuditReport.renderText(for: SecureStorageSampleCatalog.self))
    print(StorageAuditReport.renderText(for: WalletCatalog.self))
  }

  /// Reads what another process wrote.
  func readAgain() async throws {
    for entry in SampleEntry.all {
      guard try await entry.isStored(router) else { throw SampleError.notFoundAgain(entry.name) }
    }
    print("A second process found all \(SampleEntry.all.count) values.")
  }

  #if os(Linux) || os(macOS)
    /// Reads the values in another process.
    private static func runAgain(_ folder: URL) async throws {
      let process = Process()
      process.executableURL = Bundle.main.executableURL
      process.arguments = ["--second-run", folder.path]
      // The other process prints into the same file: what this one holds back goes first.
      fflush(nil)
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw SampleError.secondRunFailed }
    }
  #else
    /// Reads the values through another router. Apps on iOS and watchOS start no processes.
    private static func runAgain(_ folder: URL) async throws { try await SampleRun(folder: folder).readAgain() }
  #endif
}

enum SampleError: Error {
  /// A value that was written is not there, by the name of its key.
  case notFoundAgain(String)
  case secondRunFailed
}

/// Stands for what the user types.
private struct SamplePassphrase: KeyMaterialProviding {
  func keyMaterial(for keyName: String) async throws -> Data { Data("correct horse battery staple".utf8) }
}

/// Stands for 32 bytes that a secure element gives out.
private struct SampleSecureElement: KeyMaterialProviding {
  func keyMaterial(for keyName: String) async throws -> Data { Data((0..<32).map { UInt8($0 * 7 % 251) }) }
}
