// On Linux it is only tested: it would link all of Foundation.
#if canImport(Darwin) || DEBUG
  package import Foundation

  /// Converts between values of built-in types and the bytes of NSKeyedArchiver.
  package enum KeyedArchive {
    package static func bytes(of value: Any) throws -> Data {
      try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    }

    /// Returns the root object of an archive, which has no other classes than those of built-in types.
    package static func value(in bytes: Data) throws -> Any? {
      let classes: [AnyClass] = [
        NSArray.self, NSDictionary.self, NSString.self, NSNumber.self, NSData.self, NSDate.self, NSURL.self,
        NSUUID.self,
      ]
      return try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: bytes)
    }
  }
#endif
