import Foundation

/// Preferences as apps store them, with UserDefaults.
struct EarlierPreferences: Sendable {
  let suite: String?

  private var defaults: UserDefaults { suite.flatMap(UserDefaults.init(suiteName:)) ?? .standard }

  private var stored: @Sendable (String) -> Any? { { defaults.object(forKey: $0) } }

  private func store(_ object: Any, _ name: String) throws {
    defaults.set(object, forKey: name)
    guard defaults.synchronize() else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Returns the place of a value that is a property list: a text, a number, a date, bytes, a list or a dictionary.
  subscript<Value: Sendable>(_ name: String) -> Place<Value> {
    Place(
      read: {
        guard let object = stored(name), let value = object as? Value else { return nil }
        // A number is read as any other one, but is another value of the property list.
        return try Self.text(of: object) == Self.text(of: value) ? value : nil
      },
      write: { try store($0, name) })
  }

  /// Returns the place of a value whose JSON is stored as bytes.
  func json<Value: Codable & Sendable>(_ name: String) -> Place<Value> {
    Place(
      read: { try (stored(name) as? Data).map { try JSONDecoder().decode(Value.self, from: $0) } },
      write: { try store(try JSONEncoder().encode($0), name) })
  }

  /// Returns the place of a value whose JSON is stored as a text.
  func text<Value: Codable & Sendable>(_ name: String) -> Place<Value> {
    Place(
      read: { try (stored(name) as? String).map { try JSONDecoder().decode(Value.self, from: Data($0.utf8)) } },
      write: { try store(String(decoding: try JSONEncoder().encode($0), as: UTF8.self), name) })
  }

  /// Returns the place of a dictionary with values of any type.
  func dictionary(_ name: String) -> Place<AnyDictionary> {
    Place(
      read: { (stored(name) as? [String: Any]).map(AnyDictionary.init) },
      write: { try store($0.values, name) })
  }

  /// Returns the place of a number that the app reads with `integer(forKey:)`, whatever is stored.
  func integer(_ name: String) -> Place<Int> {
    Place(read: { stored(name) == nil ? nil : defaults.integer(forKey: name) }, write: { try store($0, name) })
  }

  /// Returns the place of a value that is stored as an encoded property list.
  func propertyList<Value: Codable & Sendable>(_ name: String) -> Place<Value> {
    Place(
      read: { try (stored(name) as? Data).map { try PropertyListDecoder().decode(Value.self, from: $0) } },
      write: { try store(try PropertyListEncoder().encode($0), name) })
  }

  /// Returns the place of a list of texts in a keyed archive.
  func archivedTexts(_ name: String) -> Place<[String]> {
    Place(
      read: { try unarchived(name, [NSArray.self, NSString.self]) as? [String] },
      write: { try archive($0, name) })
  }

  /// Returns the place of a date in a keyed archive.
  func archivedDate(_ name: String) -> Place<Date> {
    Place(
      read: { try unarchived(name, [NSDate.self]) as? Date },
      write: { try archive($0, name) })
  }

  private func archive(_ object: Any, _ name: String) throws {
    try store(try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true), name)
  }

  private func unarchived(_ name: String, _ classes: [AnyClass]) throws -> Any? {
    try (stored(name) as? Data).map { try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: $0) as Any }
  }

  private static func text(of object: Any) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: ["value": object], format: .xml, options: 0)
  }
}

/// A dictionary with values of any type of a property list.
struct AnyDictionary: Equatable, @unchecked Sendable {
  // Values of property lists are not changed.
  let values: [String: Any]

  init(_ values: [String: Any]) { self.values = values }

  /// Compares the property lists in XML, in which keys are sorted. A number of Linux differs from one with another width.
  static func == (one: Self, other: Self) -> Bool {
    let texts = [one, other].map { list in
      try? PropertyListSerialization.data(fromPropertyList: list.values, format: .xml, options: 0)
    }
    return texts[0] != nil && texts[0] == texts[1]
  }
}
