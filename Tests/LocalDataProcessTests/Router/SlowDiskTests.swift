#if os(Linux)
  import RuntimeTestSupport
  import TestSupport
  import Testing

  /// Calls that wait for a slow disk.
  @Suite(.serialized, .findsHangs) struct SlowDiskTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    /// 300 calls that each wait for the disk after one another would need longer than a call may wait.
    @Test(
      .enabled(if: FaultShim.isAvailable, "there is no C compiler to build the shim with"),
      arguments: ["files", "keychain", "preferences", "encryptedFiles"])
    func setsOfAFamilyOnASlowDisk(_ address: String) throws {
      let shim = try FaultShim(in: fixture)
      let words = ["router", fixture.path("store"), address, "burst", "300"]
      let end = try ChildProcess.run(ChildProcess.probe, words, environment: shim.environment("slow", at: 30))
      #expect(end.line == "300 stored")
    }
  }
#endif
