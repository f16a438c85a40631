import LocalDataStores

extension StorageRouter {
  /// Runs `body` with one authentication of the user for all values that it reads and overwrites.
  ///
  /// For a keychain value with an access control, the system asks the user for Face ID, Touch ID or the passcode at every
  /// read, and when a stored value is overwritten. It does not ask for the first write of a value and for its removal. Inside
  /// `body`, the system asks for the first call, and the other calls use the same authentication. The authentication ends when
  /// `body` returns. On Linux, and for values without an access control, `body` runs without an authentication.
  ///
  ///     let (pin, seed) = try await router.authenticated(reason: "Unlock your wallet") {
  ///       (try await router.get(.vaultPin), try await router.get(.recoveryCode))
  ///     }
  ///
  /// - Parameters:
  ///   - reason: The text that the system shows to the user. watchOS shows its own text instead.
  ///   - body: The calls that share the authentication. A task that is still running after `body` returns does not share it
  ///     any more.
  /// - Returns: The result of `body`.
  /// - Throws: Every error that `body` throws, for example ``StorageProblem/Code/userCancelled`` if the user cancels the
  ///   authentication of a call.
  @concurrent public nonisolated func authenticated<Result: Sendable>(
    reason: String, _ body: @concurrent @Sendable () async throws -> Result
  ) async rethrows -> Result {
    let session = AuthenticationSession(reason: reason)
    defer { session.invalidate() }
    return try await session.bound { try await body() }
  }
}
