#if canImport(Darwin)
  import LocalDataFoundation

  /// A notification that the processes of a device send each other. It has a name and no content.
  package struct DarwinNotification: Sendable {
    private let name: String

    /// - Parameter parts: The parts of what the notification is about. Other apps see the name, which is their hash.
    package init(of parts: [String]) {
      var writer = ByteWriter()
      for part in parts { writer.appendField(part) }
      name = "localdata.\(writer.bytes.sha256.hexadecimal)"
    }

    /// Notifies all observers, also those of this process.
    package func post() {
      CFNotificationCenterPostNotification(
        CFNotificationCenterGetDarwinNotifyCenter(), CFNotificationName(name as CFString), nil, nil, true)
    }

    /// Calls `body` on the main thread after each notification, until the result is released. Several notifications can become
    /// one.
    package func observe(_ body: @escaping @Sendable () -> Void) -> any Sendable { Observation(name, body) }

    /// An observer is a number and no object: the center may call it while it is removed.
    private final class Observation: Sendable {
      private struct State: Sendable {
        var last: UInt = 0
        var bodies: [UInt: @Sendable () -> Void] = [:]
      }

      private static let state = Lock(State())

      private let name: String
      private let number: UInt

      init(_ name: String, _ body: @escaping @Sendable () -> Void) {
        self.name = name
        number = Self.state.withLock { state in
          state.last += 1
          state.bodies[state.last] = body
          return state.last
        }
        CFNotificationCenterAddObserver(
          CFNotificationCenterGetDarwinNotifyCenter(), UnsafeRawPointer(bitPattern: number),
          { _, observer, _, _, _ in Observation.call(UInt(bitPattern: observer)) }, name as CFString, nil,
          .deliverImmediately)
      }

      deinit {
        CFNotificationCenterRemoveObserver(
          CFNotificationCenterGetDarwinNotifyCenter(), UnsafeRawPointer(bitPattern: number),
          CFNotificationName(name as CFString), nil)
        Self.state.withLock { [number] in $0.bodies[number] = nil }
      }

      private static func call(_ number: UInt) { state.withLock { $0.bodies[number] }?() }
    }
  }
#endif
