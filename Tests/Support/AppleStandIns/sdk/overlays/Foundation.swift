// swift-format-ignore-file
// The value types of Foundation and its bridges, as far as the package uses them.
@_exported import CoreFoundation
@_exported import Darwin
@_exported import Dispatch
@_exported import Foundation
@_exported import ObjectiveC

public typealias TimeInterval = Double

// MARK: Bridges

extension String: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSString { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout String?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout String?) -> Bool { false }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String { fatalError() }
}
extension Array: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSArray { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSArray, result: inout Array?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSArray, result: inout Array?) -> Bool { false }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSArray?) -> Array { fatalError() }
}
extension Dictionary: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSDictionary { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSDictionary, result: inout Dictionary?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSDictionary, result: inout Dictionary?) -> Bool { false }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDictionary?) -> Dictionary { fatalError() }
}
extension Bool: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSNumber { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSNumber, result: inout Bool?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSNumber, result: inout Bool?) -> Bool { false }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSNumber?) -> Bool { fatalError() }
}
extension NSDictionary: ExpressibleByDictionaryLiteral {
  public required convenience init(dictionaryLiteral elements: (Any, Any)...) { fatalError() }
  public convenience init(dictionary otherDictionary: __shared NSDictionary) { fatalError() }
  // In Swift: the compiler emits no call of a method of NSDictionary itself that takes a dictionary.
  public convenience init(dictionary otherDictionary: [AnyHashable: Any]) { fatalError() }
  public func isEqual(to otherDictionary: [AnyHashable: Any]) -> Bool { fatalError() }
}
extension NSError: Error {}
extension CFError: Error {}
public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }
public func _convertNSErrorToError(_ error: NSError?) -> any Error { fatalError() }
extension FileManager { public typealias Unused = Never }
public struct CocoaError: Error {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public var rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static var fileNoSuchFile: Code { fatalError() }
    public static var fileReadNoPermission: Code { fatalError() }
    public static var fileReadNoSuchFile: Code { fatalError() }
    public static var fileReadUnknown: Code { fatalError() }
    public static var fileWriteUnknown: Code { fatalError() }
    public static var fileWriteFileExists: Code { fatalError() }
    public static var fileWriteNoPermission: Code { fatalError() }
    public static var fileWriteOutOfSpace: Code { fatalError() }
    public static var fileWriteVolumeReadOnly: Code { fatalError() }
  }
  public var code: Code { fatalError() }
  public init(_ code: Code, userInfo: [String: Any] = [:]) { fatalError() }
  public var underlying: (any Error)? { nil }
}
public enum POSIXErrorCode: Int32, Sendable { case EPERM = 1, EACCES = 13, ENOSPC = 28, EROFS = 30, ELOOP = 62, EDQUOT = 69 }
public let NSUnderlyingErrorKey: String = "NSUnderlyingError"
public struct POSIXError: Error {
  public typealias Code = POSIXErrorCode
  public var code: POSIXErrorCode { fatalError() }
  public init(_ code: POSIXErrorCode, userInfo: [String: Any] = [:]) { fatalError() }
}

extension NSLocking {
  public func withLock<R>(_ body: () throws -> R) rethrows -> R {
    lock()
    defer { unlock() }
    return try body()
  }
}

// MARK: Data

public protocol ContiguousBytes {
  func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
}
public protocol DataProtocol: RandomAccessCollection where Element == UInt8, SubSequence: DataProtocol {
  associatedtype Regions: BidirectionalCollection where Regions.Element: DataProtocol
  var regions: Regions { get }
}
public protocol MutableDataProtocol: DataProtocol, MutableCollection, RangeReplaceableCollection {}

@frozen public struct Data: ContiguousBytes, MutableDataProtocol, Hashable, Sendable, Codable {
  public typealias Index = Int
  public typealias Indices = Range<Int>
  public typealias SubSequence = Data
  public init() {}
  public init(bytes: UnsafeRawPointer, count: Int) {}
  public init<S: Sequence>(_ elements: S) where S.Element == UInt8 {}
  public init(repeating repeatedValue: UInt8, count: Int) {}
  public init(count: Int) {}
  public init(capacity: Int) {}
  public init(contentsOf url: __shared URL, options: Data.ReadingOptions = []) throws {}
  public init?(base64Encoded base64String: __shared String, options: Data.Base64DecodingOptions = []) { nil }
  public func base64EncodedString(options: Data.Base64EncodingOptions = []) -> String { fatalError() }
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let atomic = WritingOptions(rawValue: 1)
  }
  public struct Base64EncodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public struct Base64DecodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public func write(to url: URL, options: Data.WritingOptions = []) throws {}
  public var regions: CollectionOfOne<Data> { fatalError() }
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public func index(before i: Int) -> Int { i - 1 }
  public func index(after i: Int) -> Int { i + 1 }
  public var indices: Range<Int> { 0..<0 }
  public subscript(index: Int) -> UInt8 { get { 0 } set {} }
  public subscript(bounds: Range<Int>) -> Data { get { self } set {} }
  public mutating func replaceSubrange<C: Collection>(_ subrange: Range<Int>, with newElements: __owned C)
  where C.Element == UInt8 {}
  public var count: Int { get { 0 } set {} }
  public mutating func reserveCapacity(_ minimumCapacity: Int) {}
  public mutating func append(_ other: Data) {}
  public mutating func append(contentsOf bytes: [UInt8]) {}
  public mutating func append(_ bytes: UnsafePointer<UInt8>, count: Int) {}
  public mutating func resetBytes(in range: Range<Int>) {}
  public func subdata(in range: Range<Int>) -> Data { self }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
  public mutating func withUnsafeMutableBytes<R>(_ body: (UnsafeMutableRawBufferPointer) throws -> R) rethrows -> R {
    fatalError()
  }
  public func copyBytes(to pointer: UnsafeMutablePointer<UInt8>, count: Int) {}
}
extension Data: CustomStringConvertible { public var description: String { "" } }
extension Data: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSData { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSData, result: inout Data?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSData, result: inout Data?) -> Bool { false }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSData?) -> Data { fatalError() }
}
extension Array: ContiguousBytes where Element == UInt8 {}
extension Array: DataProtocol where Element == UInt8 {
  public var regions: CollectionOfOne<[UInt8]> { fatalError() }
}
extension ArraySlice: ContiguousBytes where Element == UInt8 {}
extension ArraySlice: DataProtocol where Element == UInt8 {
  public var regions: CollectionOfOne<ArraySlice<UInt8>> { fatalError() }
}
extension Slice: DataProtocol where Base: DataProtocol {
  public var regions: CollectionOfOne<Slice<Base>> { fatalError() }
}
extension UnsafeRawBufferPointer: ContiguousBytes {
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { try body(self) }
}
extension UnsafeRawBufferPointer: DataProtocol {
  public var regions: CollectionOfOne<UnsafeRawBufferPointer> { fatalError() }
}
extension UnsafeMutableRawBufferPointer: ContiguousBytes {
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
}

// MARK: URL

public struct URL: Hashable, Sendable, Codable, CustomStringConvertible {
  public init?(string: __shared String) { nil }
  public init(fileURLWithPath path: __shared String) {}
  public init(fileURLWithPath path: __shared String, isDirectory: Bool) {}
  public init(
    fileURLWithFileSystemRepresentation path: UnsafePointer<Int8>, isDirectory: Bool, relativeTo baseURL: __shared URL?
  ) {}
  public init(from decoder: any Decoder) throws {}
  public func encode(to encoder: any Encoder) throws {}
  public var description: String { "" }
  public var absoluteString: String { "" }
  public var isFileURL: Bool { false }
  public var path: String { "" }
  public var lastPathComponent: String { "" }
  public var standardizedFileURL: URL { self }
  public func appendingPathComponent(_ pathComponent: String) -> URL { self }
  public func appendingPathComponent(_ pathComponent: String, isDirectory: Bool) -> URL { self }
  public func deletingLastPathComponent() -> URL { self }
  public mutating func setResourceValues(_ values: URLResourceValues) throws {}
  public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues { URLResourceValues() }
}
public struct URLResourceKey: Hashable, Sendable {
  public static let isExcludedFromBackupKey = URLResourceKey()
}
public struct URLResourceValues {
  public init() {}
  public var isExcludedFromBackup: Bool? { get { nil } set {} }
}
@available(*, unavailable) extension URLResourceValues: Sendable {}
extension URL: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSURL { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSURL, result: inout URL?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSURL, result: inout URL?) -> Bool { false }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURL?) -> URL { fatalError() }
}

// MARK: Dates and identifiers

public struct Date: Hashable, Comparable, Sendable, Codable {
  public init() {}
  public init(timeIntervalSince1970: TimeInterval) {}
  public init(timeIntervalSinceReferenceDate ti: TimeInterval) {}
  public init(timeIntervalSinceNow ti: TimeInterval) {}
  public init(timeInterval: TimeInterval, since date: Date) {}
  public var timeIntervalSince1970: TimeInterval { 0 }
  public var timeIntervalSinceReferenceDate: TimeInterval { 0 }
  public func timeIntervalSince(_ date: Date) -> TimeInterval { 0 }
  public func addingTimeInterval(_ timeInterval: TimeInterval) -> Date { self }
  public static func < (first: Date, second: Date) -> Bool { false }
  public static func + (first: Date, second: TimeInterval) -> Date { first }
  public static func - (first: Date, second: TimeInterval) -> Date { first }
  public static func += (first: inout Date, second: TimeInterval) {}
  public static var now: Date { Date() }
  public static let distantPast = Date()
  public static let distantFuture = Date()
}
extension Date: _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSDate { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSDate, result: inout Date?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSDate, result: inout Date?) -> Bool { false }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDate?) -> Date { fatalError() }
}
public protocol FormatStyle: Sendable, Hashable, Codable {
  associatedtype FormatInput
  associatedtype FormatOutput
  func format(_ value: FormatInput) -> FormatOutput
}
extension Date {
  @available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
  public struct ISO8601FormatStyle: FormatStyle {
    public init() {}
    public func parse(_ value: String) throws -> Date { fatalError() }
    public func format(_ value: Date) -> String { "" }
  }
  @available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
  public func formatted<F: FormatStyle>(_ format: F) -> F.FormatOutput where F.FormatInput == Date { fatalError() }
}
@available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
extension FormatStyle where Self == Date.ISO8601FormatStyle { public static var iso8601: Self { fatalError() } }

public struct UUID: Hashable, Sendable, Codable, CustomStringConvertible {
  public init() {}
  public init?(uuidString string: __shared String) { nil }
  public typealias Bytes = (
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
  )
  public init(uuid: uuid_t) {}
  public var uuid: uuid_t { fatalError() }
  public var uuidString: String { "" }
  public var description: String { "" }
  public init(from decoder: any Decoder) throws {}
  public func encode(to encoder: any Encoder) throws {}
}
public typealias uuid_t = UUID.Bytes

public struct Decimal: Hashable, Comparable, Sendable, Codable, SignedNumeric, ExpressibleByFloatLiteral, CustomStringConvertible {
  public typealias Magnitude = Decimal
  public static var nan: Decimal { 0 }
  public static var greatestFiniteMagnitude: Decimal { 0 }
  public init(floatLiteral value: Double) { self = 0 }
  public init() {}
  public init?(string: __shared String, locale: __shared Locale? = nil) { nil }
  public init?<T: BinaryInteger>(exactly source: T) { nil }
  public init(integerLiteral value: Int) {}
  public init(_ value: Int) {}
  public init(_ value: Double) {}
  public var magnitude: Decimal { self }
  public var isNaN: Bool { false }
  public var description: String { "" }
  public static func < (first: Decimal, second: Decimal) -> Bool { false }
  public static func + (first: Decimal, second: Decimal) -> Decimal { first }
  public static func - (first: Decimal, second: Decimal) -> Decimal { first }
  public static func * (first: Decimal, second: Decimal) -> Decimal { first }
  public static func *= (first: inout Decimal, second: Decimal) {}
  public init(from decoder: any Decoder) throws {}
  public func encode(to encoder: any Encoder) throws {}
}
public struct Locale: Hashable, Sendable {
  public init(identifier: String) {}
}

// MARK: Coders

extension NSKeyedUnarchiver {
  @available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
  @nonobjc public static func unarchivedObject(ofClasses classes: [AnyClass], from data: Data) throws -> Any? { fatalError() }
}

open class JSONEncoder: @unchecked Sendable {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    public static let sortedKeys = OutputFormatting(rawValue: 2)
    public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
  }
  public enum DateEncodingStrategy: Sendable {
    case deferredToDate, secondsSince1970, millisecondsSince1970, iso8601
    @preconcurrency case custom(@Sendable (Date, any Encoder) throws -> Void)
  }
  public enum DataEncodingStrategy: Sendable { case deferredToData, base64 }
  public enum NonConformingFloatEncodingStrategy: Sendable {
    case `throw`
    case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }
  public init() {}
  open var outputFormatting: OutputFormatting = []
  open var dateEncodingStrategy: DateEncodingStrategy = .deferredToDate
  open var dataEncodingStrategy: DataEncodingStrategy = .base64
  open var nonConformingFloatEncodingStrategy: NonConformingFloatEncodingStrategy = .throw
  open var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  open func encode<T: Encodable>(_ value: T) throws -> Data { fatalError() }
}
open class JSONDecoder: @unchecked Sendable {
  public enum DateDecodingStrategy: Sendable {
    case deferredToDate, secondsSince1970, millisecondsSince1970, iso8601
    @preconcurrency case custom(@Sendable (any Decoder) throws -> Date)
  }
  public enum NonConformingFloatDecodingStrategy: Sendable {
    case `throw`
    case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }
  public init() {}
  open var dateDecodingStrategy: DateDecodingStrategy = .deferredToDate
  open var nonConformingFloatDecodingStrategy: NonConformingFloatDecodingStrategy = .throw
  open var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}
open class PropertyListEncoder: @unchecked Sendable {
  public init() {}
  open var outputFormat: PropertyListSerialization.PropertyListFormat = .binary
  open func encode<Value: Encodable>(_ value: Value) throws -> Data { fatalError() }
}
open class PropertyListDecoder: @unchecked Sendable {
  public init() {}
  open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}

@available(macOS 12, iOS 15, watchOS 8, *) public protocol DecodableWithConfiguration {
  associatedtype DecodingConfiguration
  init(from decoder: any Decoder, configuration: DecodingConfiguration) throws
}

@available(macOS 14, iOS 17, watchOS 10, *) extension JSONDecoder {
  open func decode<T: DecodableWithConfiguration>(
    _ type: T.Type, from data: Data, configuration: T.DecodingConfiguration
  ) throws -> T { fatalError() }
}

@available(macOS 14, iOS 17, watchOS 10, *) extension PropertyListDecoder {
  open func decode<T: DecodableWithConfiguration>(
    _ type: T.Type, from data: Data, configuration: T.DecodingConfiguration
  ) throws -> T { fatalError() }
}

// MARK: Text

extension String {
  public var precomposedStringWithCanonicalMapping: String { self }
  public struct Encoding: Hashable, Sendable {
    public static let utf8 = Encoding()
    public static let ascii = Encoding()
  }
  public init?<S: Sequence>(bytes: __shared S, encoding: Encoding) where S.Element == UInt8 { nil }
  public init?(data: __shared Data, encoding: Encoding) { nil }
  public func data(using encoding: Encoding, allowLossyConversion: Bool = false) -> Data? { nil }
  public init(contentsOfFile path: __shared String, encoding enc: Encoding) throws { fatalError() }
}
extension StringProtocol {
  public func contains<T: StringProtocol>(_ other: T) -> Bool { false }
  public func components<T: StringProtocol>(separatedBy separator: T) -> [String] { [] }
  public func replacingOccurrences<T: StringProtocol, R: StringProtocol>(of target: T, with replacement: R) -> String { "" }
}
public protocol LocalizedError: Error {
  var errorDescription: String? { get }
  var failureReason: String? { get }
  var recoverySuggestion: String? { get }
  var helpAnchor: String? { get }
}
extension LocalizedError {
  public var errorDescription: String? { nil }
  public var failureReason: String? { nil }
  public var recoverySuggestion: String? { nil }
  public var helpAnchor: String? { nil }
}
