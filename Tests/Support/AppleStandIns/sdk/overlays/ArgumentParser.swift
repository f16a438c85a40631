// swift-format-ignore-file
// The part of swift-argument-parser that the tool uses.
@_exported import Foundation

public struct ExitCode: Error, RawRepresentable, Hashable {
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
  public init(_ code: Int32) { rawValue = code }
  public var isSuccess: Bool { rawValue == 0 }
  public static let validationFailure = ExitCode(64)
}
public struct ValidationError: Error { public init(_ message: String) {} }
public struct ArgumentHelp: ExpressibleByStringInterpolation, Sendable {
  public init(_ abstract: String = "", discussion: String = "", valueName: String? = nil) {}
  public init(stringLiteral value: String) {}
}
public struct CompletionKind: Sendable {
  public static func file(extensions: [String] = []) -> CompletionKind { CompletionKind() }
  public static func custom(_ words: @escaping @Sendable ([String], Int, String) -> [String]) -> CompletionKind {
    CompletionKind()
  }
  public static var directory: CompletionKind { CompletionKind() }
}
public struct NameSpecification: Sendable {
  public static var long: NameSpecification { NameSpecification() }
  public static var shortAndLong: NameSpecification { NameSpecification() }
  public static func customLong(_ name: String, withSingleDash: Bool = false) -> NameSpecification { NameSpecification() }
}
public struct CommandConfiguration: Sendable {
  public init(
    commandName: String? = nil, abstract: String = "", discussion: String = "", version: String = "",
    subcommands: [any ParsableCommand.Type] = []
  ) {}
}
public protocol ParsableArguments: Decodable {
  init()
  mutating func validate() throws
}
extension ParsableArguments {
  public mutating func validate() throws {}
  public static func exitCode(for error: any Error) -> ExitCode { fatalError() }
  public static func fullMessage(for error: any Error) -> String { fatalError() }
}
public protocol ParsableCommand: ParsableArguments {
  static var configuration: CommandConfiguration { get }
  mutating func run() throws
}
extension ParsableCommand {
  public mutating func run() throws {}
  public static func parseAsRoot(_ arguments: [String]? = nil) throws -> any ParsableCommand { fatalError() }
}
public protocol ExpressibleByArgument {}
extension ExpressibleByArgument where Self: RawRepresentable {}
extension String: ExpressibleByArgument {}
public struct ArrayParsingStrategy: Sendable {
  public static var singleValue: ArrayParsingStrategy { ArrayParsingStrategy() }
  public static var upToNextOption: ArrayParsingStrategy { ArrayParsingStrategy() }
}
@propertyWrapper public struct Argument<Value>: Decodable {
  public var wrappedValue: Value { get { fatalError() } set {} }
  public init(from decoder: any Decoder) throws { fatalError() }
  public init<T: ExpressibleByArgument>(wrappedValue: Value, help: ArgumentHelp? = nil, completion: CompletionKind? = nil)
  where Value == [T] {}
  public init(help: ArgumentHelp? = nil, completion: CompletionKind? = nil) where Value: ExpressibleByArgument {}
  public init(wrappedValue: Value, help: ArgumentHelp? = nil, completion: CompletionKind? = nil)
  where Value: ExpressibleByArgument {}
}
@propertyWrapper public struct Option<Value>: Decodable {
  public var wrappedValue: Value { get { fatalError() } set {} }
  public init(from decoder: any Decoder) throws { fatalError() }
  public init(
    wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value: ExpressibleByArgument {}
  public init(name: NameSpecification = .long, help: ArgumentHelp? = nil, completion: CompletionKind? = nil)
  where Value: ExpressibleByArgument {}
  public init<T: ExpressibleByArgument>(
    name: NameSpecification = .long, help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value == T? {}
  public init<T: ExpressibleByArgument>(
    wrappedValue: Value, name: NameSpecification = .long, parsing: ArrayParsingStrategy = .singleValue,
    help: ArgumentHelp? = nil, completion: CompletionKind? = nil
  ) where Value == [T] {}
}
@propertyWrapper public struct Flag<Value>: Decodable {
  public var wrappedValue: Value { get { fatalError() } set {} }
  public init(from decoder: any Decoder) throws { fatalError() }
  public init(wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp? = nil) where Value == Bool {}
}
@propertyWrapper public struct OptionGroup<Value: ParsableArguments>: Decodable {
  public var wrappedValue: Value { get { fatalError() } set {} }
  public init(from decoder: any Decoder) throws { fatalError() }
  public init() {}
}
