// What must not compile for watchOS 10.
// swift-format-ignore-file
import Foundation
import LocalAuthentication
import WatchConnectivity

func teeth() {
  _ = WCSession.default.isPaired  // expect: unavailable
  _ = WCSession.default.isWatchAppInstalled  // expect: unavailable
  _ = WCSession.default.isCompanionAppInstalled
  LAContext().localizedReason = ""  // expect: unavailable
  LAContext().interactionNotAllowed = true
}
