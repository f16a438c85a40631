/// The numbers that a field can have.
enum FieldNumbers {
  private static let all = 1...536_870_911

  static func isValid(_ number: Int) -> Bool { all.contains(number) && !(19_000...19_999).contains(number) }

  /// Returns the number after all that were used, or else one between them.
  static func free(besides used: Set<Int>) -> Int {
    let largest = used.max() ?? 0
    let next = largest == 18_999 ? 20_000 : largest + 1
    return isValid(next) ? next : all.first { isValid($0) && !used.contains($0) } ?? next
  }
}
