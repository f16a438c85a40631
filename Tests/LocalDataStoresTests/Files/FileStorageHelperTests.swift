import Foundation
import LocalDataTesting
import RuntimeTestSupport
import LocalDataSystem
import LocalDataVocabulary
import Testing

@testable import LocalDataStores

@Suite struct FileStorageHelperTests {
  private let fixture: StoreFixture
  private let store: FileStorageHelper
  private let attributes = StorageAttributes()

  init() throws {
    fixture = try StoreFixture()
    store = FileStorageHelper(fixture.locations)
  }

  // MARK: Protection

  @Test(arguments: StorageFileProtection.allCases)
  func aFileIsProtectedAsItsKeySays(_ protection: StorageFileProtection) {
    var attributes = StorageAttributes()
    attributes.fileProtection = protection
    #expect("\(FileProtection(attributes).availability)" == (protection == .none ? "always" : protection.rawValue))
    attributes.isCompletelyProtected = true
    #expect(FileProtection(attributes).availability == .complete)
  }

  // MARK: Permissions

  @Test func widenedFilesAreNarrowed() throws {
    let address = StorageAddress.file("value", in: .custom("Reports/2024"))
    try store.write(Data([1]), to: address, attributes)
    let folder = "data/support/Reports"
    let file = folder + "/2024/value"
    for (path, mode) in [("data", 0o755), (folder, 0o777), (folder + "/2024", 0o755), (file, 0o644)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: fixture.path(path))
    }
    #expect(try store.read(address, attributes) == Data([1]))
    #expect(try fixture.permissions()[file] == 0o600)
    // A file of the folder that is not written.
    try store.write(Data([2]), to: .file("other", in: .custom("Reports/2024")), attributes)
    let permissions = try fixture.permissions()
    #expect(permissions[folder] == 0o700)
    #expect(permissions[folder + "/2024"] == 0o700)
    // The app has chosen this folder.
    #expect(permissions["data"] == 0o755)
  }

  #if os(Linux)
    @Test func widenedFileIsNarrowedWithoutWaiting() throws {
      let fixture = try StoreFixture(isInMemory: false)
      let store = FileStorageHelper(fixture.locations)
      try store.write(Data([1]), to: .file("value"), attributes)
      let file = "data/documents/value"
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: fixture.path(file))
      do throws(StorageProblem) {
        let value = try CallDeadline.withoutWaiting { () throws(StorageProblem) in
          try store.read(.file("value"), attributes)
        }
        #expect(value == Data([1]))
      } catch {
        // An older kernel.
        #expect(error == .busy)
        #expect(try store.read(.file("value"), attributes) == Data([1]))
      }
      #expect(try fixture.permissions()[file] == 0o600)
    }
  #endif

  // MARK: Links

  @Test(arguments: ["data/documents", "data/documents/value"]) func linkInTheWay(_ link: String) throws {
    try store.write(Data([1]), to: .file("value"), attributes)
    let target = fixture.path("elsewhere")
    try FileManager.default.moveItem(atPath: fixture.path(link), toPath: target)
    try FileManager.default.createSymbolicLink(atPath: fixture.path(link), withDestinationPath: target)
    let loop = StorageProblem.io(errno: ELOOP)
    #expect(throws: loop) { try store.read(.file("value"), attributes) }
    #expect(throws: loop) { try store.exists(.file("value"), attributes) }
    #expect(throws: loop) { try store.write(Data([2]), to: .file("value"), attributes) }
    #expect(throws: loop) { try store.update(.file("value"), attributes) { _ in .write(Data([2])) } }
    #expect(throws: loop) { try store.remove(.file("value"), attributes) }
    // What the link leads to is untouched.
    try FileManager.default.removeItem(atPath: fixture.path(link))
    try FileManager.default.moveItem(atPath: target, toPath: fixture.path(link))
    #expect(try store.read(.file("value"), attributes) == Data([1]))
  }

  @Test(arguments: ["Reports", "Reports/2024"]) func linkInACustomDirectory(_ link: String) throws {
    let address = StorageAddress.file("value", in: .custom("Reports/2024"))
    let outside = fixture.path("outside")
    try FileManager.default.createDirectory(atPath: outside + "/2024", withIntermediateDirectories: true)
    let path = fixture.path("data/support/" + link)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: outside)
    #expect(throws: StorageProblem.io(errno: ELOOP)) { try store.write(Data([2]), to: address, attributes) }
    #expect(throws: StorageProblem.io(errno: ELOOP)) { try store.read(address, attributes) }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: outside) == ["2024"])
  }

  /// The lock and the draft have names that are known: neither may lead elsewhere.
  @Test(arguments: [".local-data.lock", ".local-data.gate", ".local-data.new", ".local-data.0.new"])
  func linkInThePlaceOfOurFiles(_ name: String) throws {
    try store.write(Data([1]), to: .file("value"), attributes)
    let target = fixture.path("target")
    #expect(FileManager.default.createFile(atPath: target, contents: Data([9])))
    let link = fixture.path("data/documents/" + name)
    try? FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    if name.hasSuffix(".new") {
      // A draft that was left is removed, and a link is no more than that.
      try store.write(Data([2]), to: .file("value"), attributes)
    } else {
      #expect(throws: StorageProblem.io(errno: ELOOP)) { try store.write(Data([2]), to: .file("value"), attributes) }
    }
    #expect(FileManager.default.contents(atPath: target) == Data([9]))
  }

  /// The root's own path is the user's business.
  @Test func aRootBehindALink() throws {
    let real = fixture.folder.appendingPathComponent("real")
    try FileManager.default.createDirectory(at: real, withIntermediateDirectories: false)
    let link = fixture.folder.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
    let locations = StorageLocations(
      StorageConfiguration(applicationName: "Test", roots: StorageRoots(below: link)), FileStorageConfiguration())
    try FileStorageHelper(locations).write(Data([1]), to: .file("value"), attributes)
    #expect(FileManager.default.fileExists(atPath: fixture.path("real/data/documents/value")))
    #if os(Linux)
      try UserDefaultsHelper(locations).write(Data([1]), to: .preference("value"), attributes)
      #expect(FileManager.default.fileExists(atPath: fixture.path("real/data/preferences/standard.db")))
    #endif
  }

  // MARK: Other things in the place of a value

  @Test func aFolderInThePlaceOfAValue() throws {
    try store.write(Data([1]), to: .file("x", in: .custom("Reports")), attributes)
    let address = StorageAddress.file("Reports", in: .applicationSupport)
    let fault = StorageProblem.io(errno: EISDIR)
    #expect(throws: fault) { try store.read(address, attributes) }
    #expect(throws: fault) { try store.exists(address, attributes) }
    #expect(throws: fault) { try store.write(Data([2]), to: address, attributes) }
    #expect(throws: fault) { try store.remove(address, attributes) }
    #expect(try store.read(.file("x", in: .custom("Reports")), attributes) == Data([1]))
  }

  @Test func aValueInThePlaceOfAFolder() throws {
    let address = StorageAddress.file("Reports", in: .applicationSupport)
    try store.write(Data([1]), to: address, attributes)
    #expect(throws: StorageProblem.io(errno: ENOTDIR)) {
      try store.write(Data([2]), to: .file("x", in: .custom("Reports")), attributes)
    }
    #expect(try store.read(address, attributes) == Data([1]))
  }

  @Test func aPipeDoesNotHoldUsUp() throws {
    try store.write(Data([1]), to: .file("other"), attributes)
    #expect(mkfifo(fixture.path("data/documents/value"), 0o600) == 0)
    #expect(throws: StorageProblem.io(errno: EINVAL)) { try store.read(.file("value"), attributes) }
    #expect(throws: StorageProblem.io(errno: EINVAL)) { try store.write(Data([1]), to: .file("value"), attributes) }
  }

  // MARK: Long names

  @Test func aLongNameIsInItsFileAndChecked() throws {
    let (name, other) = (String(repeating: "x", count: 250), String(repeating: "x", count: 249) + "y")
    try store.write(Data([1, 2]), to: .file(name), attributes)
    try store.write(Data([3]), to: .file(other), attributes)
    let path = try fixture.locations.path(of: .file(name))
    let content = try #require(FileManager.default.contents(atPath: path))
    #expect(content == Data("LDNAME1\n".utf8) + Data([0, 0, 0, 250]) + Data(name.utf8) + Data([1, 2]))
    // The file of one value in the place of another's.
    let otherPath = try fixture.locations.path(of: .file(other))
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: otherPath, toPath: path)
    #expect(throws: StorageProblem.corrupted) { try store.read(.file(name), attributes) }
    try content.prefix(20).write(to: URL(fileURLWithPath: path))
    #expect(throws: StorageProblem.corrupted) { try store.read(.file(name), attributes) }
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(throws: StorageProblem.corrupted) { try store.read(.file(name), attributes) }
  }

  // MARK: What is left of others

  /// A write looks at the names from its own to the first free one, a removal at all.
  @Test(arguments: [
    (".local-data.new", "write"), (".local-data.0.new", "write"), (".local-data.1.new", "write"),
    (".local-data.new", "remove"), (".local-data.0.new", "remove"), (".local-data.15.new", "remove"),
  ])
  func aDraftThatWasLeftIsNoValueAndGoes(_ name: String, _ verb: String) throws {
    try store.write(Data([1]), to: .file("value"), attributes)
    let draft = fixture.path("data/documents/" + name)
    #expect(FileManager.default.createFile(atPath: draft, contents: Data(count: 100)))
    #expect(try scanned(.directory(.documents)) == [Data([1])])
    if verb == "write" {
      try store.write(Data([2]), to: .file("value"), attributes)
    } else {
      try store.remove(.file("value"), attributes)
    }
    #expect(!FileManager.default.fileExists(atPath: draft))
  }

  /// The draft of a writer that waits for the folder's lock is its own.
  @Test func aDraftInUseIsLeftAlone() throws {
    let location = try fixture.locations.folder(of: .directory(.documents))
    let folder = try location.openForWriting(lock: DurableWriter.stem)
    let draft = try FileDraft.write([Data([1])], in: folder, .standard, until: ContinuousClock.now)
    try store.write(Data([2]), to: .file("value"), attributes)
    try store.remove(.file("value"), attributes)
    try draft.take("value", in: folder)
    #expect(try store.read(.file("value"), attributes) == Data([1]))
    #expect(try folder.names().filter { $0.hasSuffix(".new") } == [])
  }

  @Test func writersOfOneFolderLoseNothing() throws {
    // Tests of a disk run beside this one.
    let fixture = try StoreFixture(isInMemory: true)
    let store = FileStorageHelper(fixture.locations, patience: .seconds(120))
    let attributes = attributes
    onThreads(24) { thread in
      for round in 0..<5 {
        do {
          try store.write(Data([UInt8(round)]), to: .file("value\(thread)"), attributes)
          try store.update(.file("shared"), attributes) { old in .write((old ?? Data()) + [1]) }
        } catch { Issue.record(error) }
      }
    }
    for thread in 0..<24 { #expect(try store.read(.file("value\(thread)"), attributes) == Data([4])) }
    #expect(try store.read(.file("shared"), attributes)?.count == 120)
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.path("data/documents"))
    #expect(names.filter { $0.hasSuffix(".new") } == [])
  }

  @Test func aFolderThatWasDeletedIsMadeAgain() throws {
    try store.write(Data([1]), to: .file("value"), attributes)
    try FileManager.default.removeItem(atPath: fixture.path("data"))
    #expect(try store.read(.file("value"), attributes) == nil)
    try store.write(Data([2]), to: .file("value"), attributes)
    #expect(try store.read(.file("value"), attributes) == Data([2]))
  }

  @Test func nothingIsMadeByReadingOrRemoving() throws {
    #expect(try store.read(.file("value"), attributes) == nil)
    #expect(try !store.exists(.file("value"), attributes))
    try store.remove(.file("value"), attributes)
    try store.names(in: .directory(.documents)) { _ in true }
    #expect(try fixture.permissions().isEmpty)
  }

  // MARK: Scans

  @Test func theCustomDirectoriesBelowSupportAreFound() throws {
    try store.write(Data([1]), to: .file("a", in: .applicationSupport), attributes)
    try store.write(Data([2]), to: .file("b", in: .custom("Reports")), attributes)
    try store.write(Data([3]), to: .file("c", in: .custom("Reports/2024")), attributes)
    try store.write(Data([4]), to: .file("d", in: .documents), attributes)
    #expect(try scanned(.directory(.applicationSupport)) == [Data([1])])
    let found = try fixture.locations.customDirectories(of: .app)
    #expect(Set(found) == [.directory(.custom("Reports")), .directory(.custom("Reports/2024"))])
    #expect(try scanned(.directory(.custom("Reports"))) == [Data([2])])
  }

  private func scanned(_ container: StorageContainer) throws -> Set<Data> {
    var met: Set<Data> = []
    guard let folder = try fixture.locations.folder(of: container).open(creating: false) else { return [] }
    try FileScan(limit: .max).run(in: folder) { (value) throws(StorageProblem) in
      #expect(met.insert(try value.beginning.get()).inserted)
      return true
    }
    return met
  }
}
