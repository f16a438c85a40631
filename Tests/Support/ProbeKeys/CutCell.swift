package import LocalData

/// A text in one place that a probe sets while it is recorded. Its word describes it to the probe, for example `files.2`.
package struct CutCell: Hashable, Sendable, CustomStringConvertible {
  package var address: ProbeAddress
  package var number: Int

  package init(_ address: ProbeAddress, _ number: Int) {
    self.address = address
    self.number = number
  }

  /// A text by its word.
  package init?(_ word: some StringProtocol) {
    let parts = word.split(separator: ".")
    guard parts.count == 2, let address = ProbeAddress(rawValue: String(parts[0])), let number = Int(parts[1]) else {
      return nil
    }
    self.init(address, number)
  }

  package var description: String { "\(address.rawValue).\(number)" }

  package var key: StorageKey<String?> {
    StorageKey<String?>(
      name: "cell_\(address.rawValue)_\(number)", domain: address.domain, security: address.security, owner: "Tests",
      description: "A text.")
  }

  /// The key of a number at an address, which another release stores as a text.
  package static func number(at address: ProbeAddress) -> StorageKey<Int> {
    StorageKey<Int>(
      name: "held_\(address.rawValue)", domain: address.domain, security: address.security, default: 0, owner: "Tests",
      description: "A number.")
  }

  /// The keys of the texts in the places of numbers.
  package static var spoiled: [AnyStorageKey] { ProbeAddress.allCases.map { .key(number(at: $0).spoiling) } }
}

/// Texts that can be recognized, also in part. The word `3x100` describes the number 3 with 100 letters.
package enum CutText {
  package static func text(_ word: some StringProtocol) -> String {
    let parts = word.split(separator: "x").compactMap { Int($0) }
    return parts.count == 2 ? text(parts[0], parts[1]) : String(word)
  }

  /// Returns the word of a text. Returns the beginning of a text that is not whole.
  package static func word(_ text: String) -> String {
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), self.text(number, parts[1].utf8.count) == text else {
      return "broken: \(text.prefix(40))"
    }
    return "\(number)x\(parts[1].utf8.count)"
  }

  private static func text(_ number: Int, _ count: Int) -> String {
    let letter = Character(UnicodeScalar(UInt8(97 + number % 26)))
    return "\(number) " + String(repeating: letter, count: count)
  }
}
