package import LocalDataVocabulary

/// A partial order of ways to protect a value, as a table: each row says that one protects less than another, and why.
///
/// What follows from two rows need not be a row: the order is the transitive closure of the table. Two ways that no chain
/// of rows connects cannot be compared, because each gives a value out when the other does not.
package struct ProtectionOrder<Element: Hashable & Sendable>: Sendable {
  package struct Row: Sendable {
    package var weaker: Element
    package var stronger: Element
    package var reason: String

    init(_ weaker: Element, _ stronger: Element, _ reason: String) {
      self.weaker = weaker
      self.stronger = stronger
      self.reason = reason
    }
  }

  package let rows: [Row]

  /// Returns true if `element` protects less than `other`.
  package func isWeaker(_ element: Element, than other: Element) -> Bool { reason(element, weakerThan: other) != nil }

  /// Returns why `element` protects less than `other`, or nil if it does not. The reason is that of the first row on a
  /// shortest chain.
  package func reason(_ element: Element, weakerThan other: Element) -> String? {
    var chains = rows.filter { $0.weaker == element }.map { (end: $0.stronger, reason: $0.reason) }
    var seen: Set<Element> = [element]
    var next = 0
    while next < chains.count {
      let chain = chains[next]
      next += 1
      if chain.end == other { return chain.reason }
      guard seen.insert(chain.end).inserted else { continue }
      chains += rows.filter { $0.weaker == chain.end }.map { (end: $0.stronger, reason: chain.reason) }
    }
    return nil
  }
}

extension ProtectionOrder<KeychainAccessibility> {
  /// The order of accessibilities: by when an item is given out, and by whether it can leave the device.
  package static let accessibility = ProtectionOrder(rows: [
    Row(.always, .afterFirstUnlock, "it can be read before the first unlock after a restart"),
    Row(.afterFirstUnlock, .whenUnlocked, "it can be read while the device is locked"),
    Row(
      .alwaysThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, "it can be read before the first unlock after a restart"),
    Row(.afterFirstUnlockThisDeviceOnly, .whenUnlockedThisDeviceOnly, "it can be read while the device is locked"),
    Row(.whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly, "it can be read on a device without a passcode"),
    Row(.always, .alwaysThisDeviceOnly, "a backup can take it to another device"),
    Row(.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly, "a backup can take it to another device"),
    Row(.whenUnlocked, .whenUnlockedThisDeviceOnly, "a backup can take it to another device"),
  ])
}

extension ProtectionOrder<KeychainAccessControl?> {
  /// The order of access controls: by who can answer. `userPresence` and `biometryAnyOrDevicePasscode` ask for the same.
  package static let accessControl = ProtectionOrder(rows: [
    Row(nil, .userPresence, "the user is not authenticated"),
    Row(nil, .biometryAnyOrDevicePasscode, "the user is not authenticated"),
    Row(.userPresence, .biometryAny, "the passcode is enough"),
    Row(.userPresence, .devicePasscode, "biometry is enough"),
    Row(.userPresence, .biometryCurrentSetOrDevicePasscode, "biometry that is enrolled later is enough"),
    Row(.biometryAnyOrDevicePasscode, .biometryAny, "the passcode is enough"),
    Row(.biometryAnyOrDevicePasscode, .devicePasscode, "biometry is enough"),
    Row(
      .biometryAnyOrDevicePasscode, .biometryCurrentSetOrDevicePasscode, "biometry that is enrolled later is enough"),
    Row(.biometryAny, .biometryCurrentSet, "biometry that is enrolled later is enough"),
    Row(.biometryCurrentSetOrDevicePasscode, .biometryCurrentSet, "the passcode is enough"),
    Row(.biometryCurrentSetOrDevicePasscode, .devicePasscode, "biometry is enough"),
  ])
}
