import Testing

@testable import LocalDataStores

@Suite struct GroupEntitlementTests {
  @Test func onlyTheSandboxRefusesAGroupThatTheEntitlementLeavesOut() {
    for groups in [[], ["group.other"], ["group.com.example"]] {
      let sandboxed = GroupEntitlement(isSandboxed: true, groups: groups)
      #expect(sandboxed.mayUse("group.com.example") == (groups == ["group.com.example"]))
      #expect(!sandboxed.mayUse("group.com"))
      #expect(GroupEntitlement(isSandboxed: false, groups: groups).mayUse("group.com.example"))
    }
  }
}
