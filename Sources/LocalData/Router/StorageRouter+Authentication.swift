import StorageVocabulary

extension StorageRouter {
  /// Runs `body` with one authentication of the user for all values that it reads and overwrites.
  ///
  /// Keychain values with an access control ask the user for Face ID, Touch ID or the passcode at every read, and when a value
  /// that is stored is overwritten. The first write of a value and its removal ask nobody. Inside `body` the first call asks,
  /// and the others use its answer. The authentication ends with `body`. Where nothing asks (on Linux, or for values without
  /// access control), `body` just runs.
  ///
  ///     let (pin, seed) = try await router.authenticated(reason: "Unlock your wallet") {
  ///       (try await router.get(.vaultPin), try await router.get(.recoveryCode))
  ///     }
  ///
  /// - Parameters:
  ///   - reason: The text that the system shows when it asks. watchOS shows its own text instead.
  ///   - body: The calls that share the authentication. Tasks that outlive it are asked by themselves.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws: ``StorageError/userCancelled(_:)`` from a call that the user declined.
  public nonisolated func authenticated<Result: Sendable>(
    reason: String, _ body: @Sendable () async throws -> Result
  ) async rethrows -> Result {
    let session = AuthenticationSession(reason: reason)
    defer { session.invalidate() }
    return try await session.bound { try await body() }
  }
}
