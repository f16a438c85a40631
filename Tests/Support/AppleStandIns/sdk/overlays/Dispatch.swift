// swift-format-ignore-file
@_exported import Darwin

public final class DispatchQueue: @unchecked Sendable {
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static let concurrent = Attributes(rawValue: 2)
  }
  public enum AutoreleaseFrequency { case inherit, workItem, never }
  public convenience init(
    label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
    autoreleaseFrequency: AutoreleaseFrequency = .inherit, target: DispatchQueue? = nil
  ) { fatalError() }
  init() {}
  public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { fatalError() }
  public static var main: DispatchQueue { fatalError() }
  @preconcurrency public func async(
    group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) { fatalError() }
  @preconcurrency public func asyncAfter(
    deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable @convention(block) () -> Void
  ) { fatalError() }
  public func sync<T>(execute work: () throws -> T) rethrows -> T { try work() }
}
public struct DispatchQoS: Sendable {
  public enum QoSClass: Sendable { case background, utility, `default`, userInitiated, userInteractive, unspecified }
  public static let unspecified = DispatchQoS()
}
public struct DispatchWorkItemFlags: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
}
public final class DispatchGroup: @unchecked Sendable {
  public init() {}
  public func enter() {}
  public func leave() {}
  @available(*, noasync) public func wait() {}
}
public struct DispatchTime: Sendable { public static func now() -> DispatchTime { fatalError() } }
public enum DispatchTimeInterval: Sendable { case seconds(Int), milliseconds(Int), microseconds(Int), nanoseconds(Int), never }
public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { fatalError() }
public enum DispatchTimeoutResult: Sendable { case success, timedOut }
public final class DispatchSemaphore: @unchecked Sendable {
  public init(value: Int) {}
  @available(*, noasync) public func wait() {}
  @available(*, noasync) public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
  @discardableResult public func signal() -> Int { 0 }
}
public func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}
extension DispatchQueue {
  public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}
}
public protocol DispatchSourceProtocol: AnyObject {
  @preconcurrency func setEventHandler(handler: (@Sendable @convention(block) () -> Void)?)
  func resume()
}
public protocol DispatchSourceMemoryPressure: DispatchSourceProtocol {}
public class DispatchSource {
  public struct MemoryPressureEvent: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let normal = MemoryPressureEvent(rawValue: 1)
    public static let warning = MemoryPressureEvent(rawValue: 2)
    public static let critical = MemoryPressureEvent(rawValue: 4)
  }
  public class func makeMemoryPressureSource(
    eventMask: MemoryPressureEvent, queue: DispatchQueue? = nil
  ) -> any DispatchSourceMemoryPressure { fatalError() }
}
