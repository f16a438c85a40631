import StorageVocabulary
import Testing

@testable import LocalData

/// What of the Apple adapter can be tested anywhere.
@Suite struct KeychainQueryTests {
  @Test(
    arguments: [
      (-25308, StorageFault.locked), (-25315, .locked), (-25320, .locked), (-25291, .locked), (-128, .userCancelled),
      (-25293, .accessDenied), (-34018, .accessDenied), (-25243, .accessDenied), (-25292, .accessDenied),
      (-61, .accessDenied), (-34, .outOfSpace), (-25302, .valueTooLarge), (-26275, .corrupted),
      (-50, .io(errno: -50)), (-36, .io(errno: -36)),
    ] as [(Int32, StorageFault)])
  func statusesAreFaults(_ status: Int32, _ fault: StorageFault) {
    #expect(KeychainStatus.fault(status) == fault)
  }

  private static let local = StorageContainer.keychain(service: "s", accessGroup: "g", synchronizable: false)
  private static let synchronized = StorageContainer.keychain(service: "s", accessGroup: nil, synchronizable: true)

  @Test(arguments: KeychainAccessibility.allCases, [nil] + KeychainAccessControl.allCases.map(Optional.some))
  func protectionCarriesBoth(_ accessibility: KeychainAccessibility, _ control: KeychainAccessControl?) throws {
    let attributes = StorageAttributes(accessibility: accessibility, accessControl: control)
    let protection = try KeychainQuery(Self.local, account: "a").protection(attributes)
    #expect(protection == (control.map { .controlled(accessibility, $0) } ?? .accessible(accessibility)))
    let synchronized = try KeychainQuery(Self.synchronized, account: "a")
    let isPossible = control == nil && !accessibility.isThisDeviceOnly
    #expect(faultOf { try synchronized.protection(attributes) } == (isPossible ? nil : .configurationConflict))
  }

  @Test func aQueryIsItsContainer() throws {
    let query = try KeychainQuery(Self.local, account: "a")
    #expect(query.service == "s" && query.account == "a" && query.accessGroup == "g")
    #expect(query.isSynchronizable == false)
    // A scan for sealed values leaves out no item that could hold one.
    #expect(KeychainQuery.everything.isSynchronizable == nil)
    #expect(faultOf { try KeychainQuery(.directory(.documents), account: "a") } == .invalidName)
    let unnamed = StorageContainer.keychain(service: "s", accessGroup: "", synchronizable: false)
    #expect(faultOf { try KeychainQuery(unnamed, account: "a") } == .invalidName)
  }
}
