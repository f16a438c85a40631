import Foundation
import RuntimeTestSupport
import LocalDataFoundation
import LocalDataVocabulary
import Testing

@testable import LocalDataStores

/// Tests of those parts of the Apple adapter that can be tested on every platform.
@Suite struct KeychainQueryTests {
  @Test(
    arguments: [
      (-25308, StorageProblem.locked), (-25315, .locked), (-25320, .locked), (-25291, .locked), (-128, .userCancelled),
      (-25293, .accessDenied), (-34018, .missingEntitlement), (-25243, .accessDenied), (-25292, .accessDenied),
      (-61, .accessDenied), (-34, .outOfSpace), (-25302, .valueTooLarge(limit: nil)), (-26275, .corrupted),
      (-50, .io(errno: -50)), (-36, .io(errno: -36)),
    ] as [(Int32, StorageProblem)])
  func statusesAreFaults(_ status: Int32, _ fault: StorageProblem) {
    #expect(KeychainStatus.fault(status) == fault)
  }

  private static let local = StorageContainer.keychain(service: "s", accessGroup: "g", synchronizable: false)
  private static let synchronized = StorageContainer.keychain(service: "s", accessGroup: nil, synchronizable: true)

  @Test(arguments: KeychainAccessibility.allCases, [nil] + KeychainAccessControl.allCases.map(Optional.some))
  func protectionCarriesBoth(_ accessibility: KeychainAccessibility, _ control: KeychainAccessControl?) throws {
    let attributes = StorageAttributes(accessibility: accessibility, accessControl: control)
    let protection = try query(Self.local).protection(attributes)
    #expect(protection == (control.map { .controlled(accessibility, $0) } ?? .accessible(accessibility)))
    let synchronized = try query(Self.synchronized)
    let isPossible = control == nil && !accessibility.isThisDeviceOnly
    #expect(faultOf { try synchronized.protection(attributes) } == (isPossible ? nil : .configurationConflict))
  }

  private func query(_ container: StorageContainer) throws -> KeychainQuery {
    try KeychainQuery(container, account: "a") { "default" }
  }

  @Test func aQueryIsItsContainerAndNamesItsGroup() throws {
    let local = try query(Self.local)
    #expect(local.service == "s" && local.account == "a" && local.accessGroup == "g")
    #expect(local.isSynchronizable == false)
    #expect(try query(Self.synchronized).accessGroup == "default")
    // A scan for sealed values leaves out no item that could hold one.
    let all = KeychainQuery(allIn: "g")
    #expect(all.isSynchronizable == nil && all.service == nil && all.account == nil)
    #expect(faultOf { try query(.directory(.documents)) } == .invalidName)
    let unnamed = StorageContainer.keychain(service: "s", accessGroup: "", synchronizable: false)
    #expect(faultOf { try query(unnamed) } == .invalidName)
  }

  @Test func aGroupThatCannotBeLearnedIsNotAskedForUnlessNeeded() throws {
    let unknown: () throws(StorageProblem) -> String = { () throws(StorageProblem) in throw .locked }
    #expect(faultOf { try KeychainQuery(Self.synchronized, account: "a", defaultAccessGroup: unknown) } == .locked)
    #expect(try KeychainQuery(Self.local, account: "a", defaultAccessGroup: unknown).accessGroup == "g")
  }

  @Test func theDefaultGroupIsLearnedOnceAndAfterAFailureAgain() throws {
    let answers = Lock<[Result<String, StorageProblem>]>([.failure(.locked), .success("first"), .success("second")])
    let group = DefaultAccessGroup { () throws(StorageProblem) in try answers.withLock { $0.removeFirst() }.get() }
    #expect(faultOf { try group.name() } == .locked)
    #expect(try group.name() == "first")
    #expect(try group.name() == "first")
  }

  @Test func aVersionIsNewForEachWriteAndSaysOnlyWhoHasSealedTheValue() throws {
    let (plain, sealed) = (Data("1234".utf8), EnvelopeHeader.magic + [1])
    func new(_ bytes: Data, _ group: String) throws -> Data {
      try KeychainItemVersion.new(for: bytes) { () throws(StorageProblem) in group }
    }
    let versions = try (0..<50).map { _ in try new(plain, "TEAM.app") }
    #expect(Set(versions).count == 50)
    #expect(versions.allSatisfy { $0.count == 20 && !KeychainItemVersion.needsMasterKey($0) })
    let sealedVersions = try (0..<50).map { _ in try new(sealed, "TEAM.app") }
    #expect(Set(sealedVersions).count == 50)
    #expect(sealedVersions.allSatisfy { $0.count == 20 && KeychainItemVersion.needsMasterKey($0) })
    #expect(sealedVersions.allSatisfy { KeychainItemVersion.isSealed($0, in: "TEAM.app") })
    #expect(!sealedVersions.contains { KeychainItemVersion.isSealed($0, in: "TEAM.other") })
    #expect(!KeychainItemVersion.isSealed(Data("LDV".utf8) + [1] + Data(repeating: 7, count: 16), in: "TEAM.app"))
    #expect(!KeychainItemVersion.isSealed(try new(plain, "TEAM.app"), in: "TEAM.app"))
    // What is not sealed needs no group.
    #expect(
      try KeychainItemVersion.new(for: plain) { () throws(StorageProblem) in throw .locked }.count == 20)
    #expect(!KeychainItemVersion.needsMasterKey(Data("another library's".utf8)))
    #expect(!KeychainItemVersion.needsMasterKey(Data()))
  }
}
