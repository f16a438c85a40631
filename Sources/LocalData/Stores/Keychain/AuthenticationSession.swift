#if canImport(LocalAuthentication)
  internal import LocalAuthentication
#endif

/// One authentication of the user, which all keychain reads of an operation share: the user is asked once.
///
/// The session of a call is bound as a task-local value. ``StorageRouter/authenticated(reason:_:)`` binds one for several
/// calls. On Linux no read asks the user, and a session does nothing.
///
/// `@unchecked Sendable`: the context is configured in `init` and afterwards only handed to Keychain Services, which
/// synchronizes its use.
package final class AuthenticationSession: @unchecked Sendable {
  @TaskLocal package static var current: AuthenticationSession?

  #if canImport(LocalAuthentication)
    let context = LAContext()
  #endif

  /// Creates a session whose prompt shows `reason`, or the system's own text if it is `nil`, and on watchOS always.
  package init(reason: String? = nil) {
    // On watchOS a context has no reason.
    #if canImport(LocalAuthentication) && !os(watchOS)
      if let reason { context.localizedReason = reason }
    #endif
  }

  /// Runs `body` on the current thread with a session bound, which a thread of another executor does not inherit.
  static func bound<Result, Failure: Error>(
    _ session: AuthenticationSession?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let session else { return try body() }
    // The binding erases the type of an error: it travels as a value.
    let result = $current.withValue(session) { () -> Swift.Result<Result, Failure> in
      do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Ends the authentication: a later read asks again.
  package func end() {
    #if canImport(LocalAuthentication)
      context.invalidate()
    #endif
  }
}
