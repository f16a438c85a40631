// swift-format-ignore-file
@_exported import Darwin
@_exported import ObjectiveC

@frozen public struct ObjCBool: ExpressibleByBooleanLiteral {
  var value: Bool
  public init(_ value: Bool) { self.value = value }
  public init(booleanLiteral value: Bool) { self.value = value }
  public var boolValue: Bool { value }
}
@frozen public struct Selector { var pointer: OpaquePointer }

extension NSObject: Equatable, Hashable, CustomStringConvertible {
  public static func == (first: NSObject, second: NSObject) -> Bool { first === second }
  public func hash(into hasher: inout Hasher) { fatalError() }
  public var description: String { fatalError() }
}
public func _convertBoolToObjCBool(_ x: Bool) -> ObjCBool { ObjCBool(x) }
public func _convertObjCBoolToBool(_ x: ObjCBool) -> Bool { x.boolValue }
