import TestSupport

/// The kinds of changes that a developer makes to a released catalog.
enum SheetChange: String, CaseIterable {
  case renameMember, renameMemberOnly, renameStored, changeType, changeSerializer, changePlace, changeSecurity
  case lowerSchema, raiseSchema, removeMigration, reverseMigration, addMigration, removeKey, removeAndReserve, addKey
  case makeLegacy, exchangeNames, takeName, changeParameters, renameParameter, changeOption, removeOption
  case removeCase, changeRawValue, exchangeRawValues, addField, removeField, changeFieldType, reuseReserved
  case removeCustomName, secureInPlace, moveIntoSource, changeDefault, addCustomMigration

  /// Makes the change; returns false if the catalog has nothing to change in this way.
  func apply(to sheet: inout Sheet, _ random: inout SeededRandom) -> Bool {
    let usable = sheet.keys.indices.filter { sheet.keys[$0].lineage != nil }
    guard let index = usable.randomElement(using: &random) else { return false }
    let other = usable.filter { $0 != index }.randomElement(using: &random)
    var key = sheet.keys[index]
    func number() -> Int { Int(random.next() % 90) + 10 }
    switch self {
    case .renameMember:
      // A family without a name would change both, and so does a key.
      key.name = "renamed\(number())"
      if key["parameters"] != nil { key["name"] = "\"\(key.name)_{id}\"" } else { key["name"] = nil }
    case .renameMemberOnly:
      let name = key.storedName
      key.name = "member\(number())"
      key["name"] = "\"\(name)\""
    case .renameStored:
      key["name"] = key["parameters"] == nil ? "stored_\(number())" : "\"stored\(number())_{id}\""
    case .changeType: key["type"] = Sheet.valueTypes.randomElement(using: &random)
    case .changeSerializer: key["serializer"] = key["serializer"] == nil ? "propertyList" : nil
    case .changePlace, .changeSecurity:
      let place = Sheet.places.randomElement(using: &random) ?? []
      if self == .changePlace { key["domain"] = place.first { $0.name == "domain" }?.value }
      key["security"] = place.first { $0.name == "security" }?.value
    case .lowerSchema: (key["schema"], key["upgrade"]) = (nil, nil)
    case .raiseSchema:
      key["schema"] = "3"
      key["upgrade"] = "[{from: 1, transform: Old.up}, {from: 2, transform: Middle.up}]"
      key["type"] = Sheet.valueTypes.randomElement(using: &random)
    case .removeMigration: key["migration"] = nil
    case .reverseMigration:
      guard let migration = key["migration"], migration.hasPrefix("[{from"), let middle = Self.split(migration) else {
        return false
      }
      key["migration"] = "[\(middle.1), \(middle.0)]"
    case .addMigration:
      let step = "{from: {name: \(key["parameters"] == nil ? "found_\(number())" : "\"found\(number())_{id}\"")}}"
      key["migration"] =
        key["migration"].map { $0.hasPrefix("[") ? "[\(step), \($0.dropFirst())" : "[\(step), \($0)]" } ?? step
    case .removeKey:
      sheet.keys.remove(at: index)
      return true
    case .removeAndReserve:
      sheet.keys.remove(at: index)
      sheet.reserved.append("{name: \"\(key.storedName)\", domain: \(key["domain"] ?? "userDefaults")}")
      return true
    case .addKey:
      sheet.addKey("added\(number())", &random)
      return true
    case .makeLegacy:
      key["legacy"] = "true"
      for field in ["retention", "syncPolicy", "default", "migration"] { key[field] = nil }
    case .exchangeNames:
      guard let other else { return false }
      let names = (key.storedName, sheet.keys[other].storedName)
      key["name"] = "\"\(names.1)\""
      sheet.keys[other]["name"] = "\"\(names.0)\""
    case .takeName:
      guard let other else { return false }
      key["name"] = "\"\(sheet.keys[other].storedName)\""
      sheet.keys[other]["name"] = "stored_\(number())"
    case .changeParameters:
      if key["parameters"] == nil {
        key["parameters"] = "{id: Int}"
        key["name"] = "\"\(key.name)_{id}\""
      } else {
        key["parameters"] = Bool.random(using: &random) ? "{id: String}" : nil
        if key["parameters"] == nil { key["name"] = "\(key.name)_all" }
      }
    case .renameParameter:
      guard let parameters = key["parameters"] else { return false }
      key["parameters"] = parameters.replacing("id:", with: "number:")
      for field in ["name", "migration"] { key[field] = key[field]?.replacing("{id}", with: "{number}") }
    case .changeOption, .removeOption:
      guard let option = Sheet.options.randomElement(using: &random) else { return false }
      key[option.name] = self == .removeOption ? nil : option.values.randomElement(using: &random)
    case .removeCase: return Self.replace("Theme", "enum", " dark: d,", "", &sheet)
    case .changeRawValue: return Self.replace("Level", "enum", "high: 2", "high: 9", &sheet)
    case .exchangeRawValues: return Self.replace("Level", "enum", "low: 1, high: 2", "low: 2, high: 1", &sheet)
    case .addField: return Self.replace("Point", "fields", "x: Int", "x: Int, z: String", &sheet)
    case .removeField: return Self.replace("Point", "fields", ", theme: Theme", "", &sheet)
    case .changeFieldType: return Self.replace("Point", "fields", "x: Int", "x: String", &sheet)
    case .reuseReserved:
      guard !sheet.reserved.isEmpty else { return false }
      sheet.reserved.removeFirst()
    case .removeCustomName:
      guard key["parameters"] == nil, key["name"] != nil else { return false }
      key["name"] = nil
    case .secureInPlace:
      guard key["security"] == nil, key["migration"] == nil, key["domain"]?.contains("keychain") != true else {
        return false
      }
      key["security"] = "recommended"
      key["migration"] = "{from: {security: none}}"
    case .moveIntoSource:
      let name = key.storedName
      key["name"] = key["parameters"] == nil ? "moved_\(number())" : "\"moved\(number())_{id}\""
      let step = "{from: {name: \"\(name)\"}}"
      key["migration"] =
        key["migration"].map { "[\(step), \($0.hasPrefix("[") ? String($0.dropFirst()) : $0 + "]")" } ?? step
    case .addCustomMigration:
      guard key["migration"] == nil else { return false }
      key["migration"] = "{custom: Newer}"
      key["name"] = key["parameters"] == nil ? "newer_\(number())" : "\"newer\(number())_{id}\""
    case .changeDefault:
      guard key["type"] == "Int" else { return false }
      key["default"] = "\(number())"
    }
    sheet.keys[index] = key
    return true
  }

  /// The two steps of a list of two.
  private static func split(_ list: String) -> (Substring, Substring)? {
    guard let range = list.firstRange(of: ", {from"), list[range.upperBound...].firstRange(of: ", {from") == nil else {
      return nil
    }
    return (
      list[list.index(after: list.startIndex)..<range.lowerBound],
      list[list.index(range.lowerBound, offsetBy: 2)...].dropLast()
    )
  }

  private static func replace(
    _ type: String, _ field: String, _ text: String, _ other: String, _ sheet: inout Sheet
  ) -> Bool {
    guard let index = sheet.types.firstIndex(where: { $0.name == type }), let value = sheet.types[index][field],
      value.contains(text)
    else { return false }
    sheet.types[index][field] = value.replacing(text, with: other)
    return true
  }
}
