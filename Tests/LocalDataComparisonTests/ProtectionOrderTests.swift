import LocalDataComparison
import LocalDataModel
import LocalDataVocabulary
import Testing

/// The orders of accessibility and of access control are orders.
@Suite struct ProtectionOrderTests {
  private static let controls: [KeychainAccessControl?] = [nil] + KeychainAccessControl.allCases

  private func check<Element>(_ order: ProtectionOrder<Element>, _ all: [Element]) {
    for one in all {
      #expect(!order.isWeaker(one, than: one))
      for two in all {
        #expect(!(order.isWeaker(one, than: two) && order.isWeaker(two, than: one)), "\(one) and \(two)")
        #expect(order.isWeaker(one, than: two) == (order.reason(one, weakerThan: two)?.isEmpty == false))
        for three in all where order.isWeaker(one, than: two) && order.isWeaker(two, than: three) {
          #expect(order.isWeaker(one, than: three), "\(one), \(two), \(three)")
        }
      }
    }
    #expect(Set(order.rows.flatMap { [$0.weaker, $0.stronger] }) == Set(all), "an element is in no row")
  }

  @Test func accessibilityIsAnOrder() { check(.accessibility, KeychainAccessibility.allCases) }

  @Test func accessControlIsAnOrder() { check(.accessControl, Self.controls) }

  @Test(arguments: [
    (KeychainAccessibility.always, KeychainAccessibility.whenPasscodeSetThisDeviceOnly, true),
    (.afterFirstUnlock, .whenUnlocked, true), (.whenUnlocked, .afterFirstUnlock, false),
    (.whenUnlocked, .afterFirstUnlockThisDeviceOnly, false), (.afterFirstUnlockThisDeviceOnly, .whenUnlocked, false),
    (.whenUnlocked, .whenUnlockedThisDeviceOnly, true),
  ])
  func accessibilities(_ one: KeychainAccessibility, _ two: KeychainAccessibility, _ isWeaker: Bool) {
    #expect(ProtectionOrder.accessibility.isWeaker(one, than: two) == isWeaker)
  }

  /// Checks that a change from a weaker accessibility to a stronger one is not a protection downgrade for the runtime.
  @Test func theOrderAgreesWithDowngrades() {
    for one in KeychainAccessibility.allCases {
      for two in KeychainAccessibility.allCases where ProtectionOrder.accessibility.isWeaker(one, than: two) {
        let (weak, strong) = (protection(one), protection(two))
        #expect(strong.downgrades(from: weak).isEmpty, "\(one), \(two)")
      }
    }
  }

  /// A sealed value in the keychain is in an item of `whenUnlocked`.
  @Test func aSealedItemIsReadWhileTheDeviceIsUnlocked() {
    let sealed = Protection(.keychain(), .recommended, isBackedUp: true)
    #expect(sealed.downgrades(from: protection(.whenUnlocked)) == [])
    #expect(protection(.afterFirstUnlock).downgrades(from: sealed) == [.accessibleMoreOften])
    let preference = Protection(.userDefaults(), .recommended, isBackedUp: true)
    #expect(preference.downgrades(from: sealed) == [.accessibleMoreOften])
  }

  private func protection(_ accessibility: KeychainAccessibility) -> Protection {
    Protection(.keychain(), .keychain(accessibility: accessibility), isBackedUp: true)
  }

  @Test(arguments: [
    (KeychainAccessControl?.none, KeychainAccessControl?.some(.userPresence), true),
    (.userPresence, .biometryCurrentSet, true), (.biometryAny, .biometryCurrentSetOrDevicePasscode, false),
    (.userPresence, .biometryAnyOrDevicePasscode, false), (.devicePasscode, .biometryAny, false),
    (.biometryCurrentSetOrDevicePasscode, .biometryCurrentSet, true),
  ])
  func accessControls(_ one: KeychainAccessControl?, _ two: KeychainAccessControl?, _ isWeaker: Bool) {
    #expect(ProtectionOrder.accessControl.isWeaker(one, than: two) == isWeaker)
  }
}
