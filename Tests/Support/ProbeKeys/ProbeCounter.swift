package import LocalData

/// Keys at the address of a counter.
extension StorageKey where Value == Int {
  /// The counter, whose bytes are moved aside if they are no number.
  package var quarantining: StorageKey<Int> {
    StorageKey<Int>(
      name: name, domain: domain, security: security, default: -1, owner: "Tests",
      description: "A counter that processes share.", options: StorageKeyOptions(onCorruption: .quarantine))
  }

  /// A text at the address of the counter, as an earlier release might have stored it.
  package var spoiling: StorageKey<String?> {
    StorageKey<String?>(name: name, domain: domain, security: security, owner: "Tests", description: "A text.")
  }
}
