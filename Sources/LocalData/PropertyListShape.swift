/// The shapes of property list objects that decide how a value is stored.
enum PropertyListShape {
  /// Returns true if an object is stored in a list of one: a scalar, or a list of exactly one element.
  static func isWrapped(_ object: Any) -> Bool {
    if let list = object as? [Any] { return list.count == 1 }
    return !(object is [String: Any])
  }
}
