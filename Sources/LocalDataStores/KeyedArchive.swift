// On Linux it is only tested: it would link all of Foundation.
#if canImport(Darwin) || DEBUG
  package import Foundation
  import LocalDataSystem

  /// Converts between values of built-in types and the bytes of NSKeyedArchiver.
  package enum KeyedArchive {
    package static func bytes(of value: Any) throws -> Data {
      #if canImport(Darwin)
        // The archiver raises an Objective-C exception at a value of Swift, which ends the process.
        guard isArchivable(value) else { throw StorageProblem.cannotEncode }
      #endif
      return try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    }

    #if canImport(Darwin)
      private static func isArchivable(_ value: Any) -> Bool {
        switch value {
        case is String, is NSNumber, is Data, is Date, is URL, is UUID: return true
        case let list as [Any]: return list.allSatisfy { isArchivable($0) }
        case let map as [String: Any]: return map.values.allSatisfy { isArchivable($0) }
        default: return false
        }
      }
    #endif

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
