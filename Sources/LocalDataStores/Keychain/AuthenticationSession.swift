import LocalDataFoundation
import LocalDataSystem

#if canImport(LocalAuthentication)
  package import LocalAuthentication
#endif

/// One authentication of the user, which all keychain reads of an operation share: the system prompts once.
///
/// The session of a call is bound as a task-local value. ``StorageRouter/authenticated(reason:_:)`` binds one for several
/// calls. A task that the app begins within them inherits the value, and no longer uses it when they have ended. On Linux no
/// read prompts, and a session does nothing.
///
/// `@unchecked Sendable`: the context is created and configured with `lock` held, and afterwards only handed to Keychain
/// Services, which synchronizes its use.
package final class AuthenticationSession: @unchecked Sendable {
  @TaskLocal private static var inherited: AuthenticationSession?
  private let isOver = Lock(false)

  private let reason: String?
  /// False if no read may prompt. Then an item that needs a prompt is locked.
  package let mayPrompt: Bool

  #if canImport(LocalAuthentication)
    private let lock = NSLock()
    private var made: LAContext?

    /// The context of the session. It is created for the first item that needs an authentication: most calls need none, and
    /// the keychain refuses every query whose context the system cannot pass on.
    package var context: LAContext {
      lock.withLock {
        if let made { return made }
        let context = LAContext()
        context.interactionNotAllowed = !mayPrompt
        // On watchOS a context has no reason.
        #if !os(watchOS)
          if let reason { context.localizedReason = reason }
        #endif
        made = context
        return context
      }
    }
  #endif

  /// Creates a session whose prompt shows `reason`, or the system's own text if it is `nil`, and on watchOS always.
  ///
  /// - Parameter mayPrompt: False if no read may prompt.
  package init(reason: String? = nil, mayPrompt: Bool = true) {
    self.reason = reason
    self.mayPrompt = mayPrompt
  }

  /// The session of the current operation, or `nil` if there is none.
  package static var current: AuthenticationSession? {
    guard let inherited, !inherited.isOver.withLock(\.self) else { return nil }
    return inherited
  }

  /// Runs `body` with this session, which ends with it.
  package func bound<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    defer { isOver.withLock { $0 = true } }
    return try await Self.$inherited.withValue(self) { try await body() }
  }

  /// Runs `body` so that no read prompts, also if a release with an access control for the key has stored the value.
  package static func silently<Result, Failure: Error>(
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await AuthenticationSession(mayPrompt: false).binding(body)
  }

  /// Runs `body` with the session of the current operation, or with a new one, so that the user is asked once.
  package static func once<Result, Failure: Error>(
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    if current != nil { return try await body() }
    let session = AuthenticationSession()
    defer { session.invalidate() }
    return try await session.binding(body)
  }

  private func binding<Result, Failure: Error>(
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    // The binding erases the type of an error: it travels as a value.
    let result = await bound { () async -> Swift.Result<Result, Failure> in
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Runs `body` on the current thread with a session bound, which a thread of another executor does not inherit.
  package static func bound<Result, Failure: Error>(
    _ session: AuthenticationSession?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let session else { return try body() }
    // The binding erases the type of an error: it travels as a value.
    let result = $inherited.withValue(session) { () -> Swift.Result<Result, Failure> in
      do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Ends the authentication: a later read prompts again.
  package func invalidate() {
    #if canImport(LocalAuthentication)
      lock.withLock { made?.invalidate() }
    #endif
  }
}
