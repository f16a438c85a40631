// swift-format-ignore-file
// The value types of Foundation, as far as only tests, the tool and the samples use them.

extension URL {
  public var pathExtension: String { "" }
  public func deletingPathExtension() -> URL { self }
  public func resolvingSymlinksInPath() -> URL { self }
  @available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
  public enum DirectoryHint: Sendable { case isDirectory, notDirectory, checkFileSystem, inferFromPath }
  @available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
  public func appending<S: StringProtocol>(path: S, directoryHint: DirectoryHint = .inferFromPath) -> URL { self }
  @available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
  public func appending<S: StringProtocol>(component: S, directoryHint: DirectoryHint = .inferFromPath) -> URL { self }
}

extension Data {
  public struct SearchOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public enum Deallocator {
    case none, free, unmap
    case custom((UnsafeMutableRawPointer, Int) -> Void)
  }
  public init(bytesNoCopy bytes: UnsafeMutableRawPointer, count: Int, deallocator: Deallocator) {}
  public func range(of dataToFind: Data, options: SearchOptions = [], in range: Range<Index>? = nil) -> Range<Index>? { nil }
}

extension Date {
  public var timeIntervalSinceNow: TimeInterval { 0 }
}

public struct CharacterSet: Hashable, Sendable {
  public static var whitespaces: CharacterSet { fatalError() }
  public static var whitespacesAndNewlines: CharacterSet { fatalError() }
  public static var newlines: CharacterSet { fatalError() }
}

extension String {
  public struct CompareOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let backwards = CompareOptions(rawValue: 4)
    public static let regularExpression = CompareOptions(rawValue: 1024)
  }
  public init(contentsOf url: __shared URL, encoding enc: Encoding) throws { fatalError() }
  public init(format: __shared String, _ arguments: any CVarArg...) { fatalError() }
}
extension StringProtocol {
  public func trimmingCharacters(in set: CharacterSet) -> String { "" }
  public var capitalized: String { "" }
  public func padding<T: StringProtocol>(toLength newLength: Int, withPad padString: T, startingAt padIndex: Int) -> String { "" }
  public func range<T: StringProtocol>(
    of aString: T, options mask: String.CompareOptions = [], range searchRange: Range<Index>? = nil, locale: Locale? = nil
  ) -> Range<Index>? { nil }
}

extension Error {
  public var localizedDescription: String { "" }
}

extension NSEnumerator: Sequence {
  public struct Iterator: IteratorProtocol { public mutating func next() -> Any? { nil } }
  @available(*, noasync) public func makeIterator() -> Iterator { fatalError() }
}

@available(macOS 10.15.4, iOS 13.4, watchOS 6.2, tvOS 13.4, *)
extension FileHandle {
  public func readToEnd() throws -> Data? { nil }
  public func read(upToCount count: Int) throws -> Data? { nil }
  public func write<T: DataProtocol>(contentsOf data: T) throws {}
}
extension FileManager {
  // BOOL is imported as ObjCBool behind a pointer.
  public func fileExists(atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { false }
}
