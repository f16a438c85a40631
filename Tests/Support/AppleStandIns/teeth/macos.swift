// What must not compile for macOS 14.
// swift-format-ignore-file
import Foundation
import Synchronization
import WatchConnectivity  // expect: no such module
let mutex = Mutex(0)
