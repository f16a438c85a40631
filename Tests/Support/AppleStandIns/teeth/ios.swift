// What must not compile for iOS 17, or must warn; each line that does is marked.
// swift-format-ignore-file
import CommonCrypto
import Foundation
import LocalAuthentication
import Security
import Synchronization
import WatchConnectivity
import os

func teeth(_ query: [String: Any], _ status: stat, _ lock: OSAllocatedUnfairLock<[String]>, _ values: [Int]) {
  let size: Int = status.st_size  // expect: cannot convert value of type 'off_t'
  _ = status.st_mtim  // expect: no member 'st_mtim'
  SecItemAdd(query, nil)  // expect: cannot convert value of type '[String : Any]' to expected argument type 'CFDictionary'
  _ = kSecUseAuthenticationUIFail  // expect: deprecated
  _ = kSecAttrAccessibleAlways  // expect: deprecated
  _ = WCSession.default.isCompanionAppInstalled  // expect: unavailable
  let mutex = Mutex(0)  // expect: only available in iOS 18.0
  let functions: [() throws(CocoaError) -> Void] = []  // expect: runtime support for typed throws
  var count = 0
  lock.withLock { _ in count += 1 }  // expect: mutation of captured var 'count' in concurrently-executing code
  _ = String(validating: [UInt8](), as: UTF8.self)  // expect: only available in iOS 18.0
  _ = kill(0, 0) == 0 && WCSession.default.isPaired
  let flags: SecAccessControlCreateFlags = [.biometryAny, .or, .touchIDAny]  // expect: deprecated
  _ = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
  let control: SecAccessControl = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil)  // expect: must be unwrapped
  let result: Int = errSecSuccess  // expect: cannot convert value of type 'OSStatus'
  let algorithm: CCPBKDFAlgorithm = kCCPBKDF2  // expect: cannot convert value of type 'Int'
  _ = CCKeyDerivationPBKDF(2, nil, 0, nil, 0, 3, size, nil, 0)  // expect: cannot convert value of type 'Int' to expected argument type 'UInt32'
}

func asynchronousTeeth(_ semaphore: DispatchSemaphore, _ names: FileManager.DirectoryEnumerator) async {
  semaphore.wait()  // expect: unavailable from asynchronous contexts
  _ = semaphore.wait(timeout: .now())  // expect: unavailable from asynchronous contexts
  _ = Thread.isMainThread  // expect: unavailable from asynchronous contexts
  for _ in names {}  // expect: unavailable from asynchronous contexts
}

enum Shared {
  static let context = LAContext()  // expect: not concurrency-safe
  static let files = FileManager.default  // expect: not concurrency-safe
  static let formatter = ISO8601DateFormatter()  // expect: not concurrency-safe
  static let text = NSString()  // expect: not concurrency-safe
  static let anySynchronizable = kSecAttrSynchronizableAny  // expect: not concurrency-safe
}
