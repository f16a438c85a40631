// swift-format-ignore-file
@_exported import CoreFoundation
@_exported import Darwin

public protocol _CFObject: AnyObject, Hashable {}
