import LocalDataModel
import LocalDataVocabulary

/// Emits the further forms of keys: plain preferences for properties, and families with the types of their members.
///
/// Each is a call with the key or the family of the same name, so that it costs little time to compile.
struct SwiftFurtherKeys {
  let source: String

  /// Writes a key for each plain preference that a property can read. All of one type share an extension, because extensions
  /// take compile time as well.
  func writePlainPreferences(_ keys: [ResolvedKey], to output: inout OutputBuffer) {
    for group in Self.grouped(keys.filter(\.isPlainPreference)) {
      for (index, key) in group.enumerated() {
        if index == 0 {
          output.write("\nnonisolated extension ")
          output.write(RuntimeName.plainKey)
          output.write(" where ")
          output.write(RuntimeName.keyValue)
          output.write(" == ")
          output.writeValueType(key)
          output.write(" {\n")
        } else {
          output.write("\n")
        }
        writePlainPreference(key, to: &output)
      }
      output.write("}\n")
    }
  }

  /// Returns the keys by the types of their values, in the order in which the types occur first.
  private static func grouped(_ keys: [ResolvedKey]) -> [[ResolvedKey]] {
    var groups: [[ResolvedKey]] = []
    var positions: [ValueForm: Int] = [:]
    for key in keys {
      let form = ValueForm(type: key.type, hasDefault: key.defaultValue != nil)
      if let position = positions[form] {
        groups[position].append(key)
      } else {
        positions[form] = groups.count
        groups.append([key])
      }
    }
    return groups
  }

  /// The parts of a key that decide what `get` returns.
  private struct ValueForm: Hashable {
    var type: ValueType
    var hasDefault: Bool
  }

  private func writePlainPreference(_ key: ResolvedKey, to output: inout OutputBuffer) {
    output.writeHeader(key, source: source)
    output.write(key.isFamily ? "static func " : "static var ")
    output.writeIdentifier(key.descriptor.member)
    if key.isFamily {
      output.write("(")
      SwiftParameters(key).writeDeclarations(to: &output)
      output.write(") -> Self { Self(")
    } else {
      output.write(": Self { Self(")
    }
    writeReference(key, to: &output)
    output.write(") }\n")
  }

  /// Writes a family with the types of its value and its parameters for each family that the app reads.
  func writeTypedFamilies(_ keys: [ResolvedKey], to output: inout OutputBuffer) {
    for key in keys where key.isFamily && !key.descriptor.isLegacy && !key.isSigningKey {
      output.write("\nnonisolated extension ")
      output.write(RuntimeName.typedFamily)
      output.write(" where ")
      output.write(RuntimeName.keyValue)
      output.write(" == ")
      output.writeValueType(key)
      output.write(", ")
      output.write(RuntimeName.familyParameters)
      output.write(" == ")
      SwiftParameters(key).writeType(to: &output)
      output.write(" {\n")
      writeTypedFamily(key, to: &output)
      output.write("}\n")
    }
  }

  private func writeTypedFamily(_ key: ResolvedKey, to output: inout OutputBuffer) {
    output.writeHeader(key, source: source)
    output.write("static var ")
    output.writeIdentifier(key.descriptor.member)
    output.write(": Self {\n    Self(.")
    output.write(key.descriptor.member)
    output.write(") {\n")
    SwiftParameters(key).writeConstants(indent: 3, to: &output)
    output.write("      return (")
    writeReference(key, to: &output)
    output.write(", ")
    SwiftParameters(key).writeValue(to: &output)
    output.write(")\n    }\n  }\n")
  }

  /// Writes `.theme`, or `.draft(documentID: documentID)`.
  private func writeReference(_ key: ResolvedKey, to output: inout OutputBuffer) {
    output.write(".")
    output.write(key.descriptor.member)
    guard key.isFamily else { return }
    output.write("(")
    SwiftParameters(key).writeArguments(to: &output)
    output.write(")")
  }
}

extension ResolvedKey {
  /// A Boolean value that indicates whether the app can read the value without waiting.
  fileprivate var isPlainPreference: Bool {
    descriptor.domain.kind.isPreferences && descriptor.security == .none && descriptor.retention == nil
      && !descriptor.isLegacy
  }
}
