import CatalogModel
import StorageVocabulary

/// Emits the catalog: its keys for registration, its descriptors for audits.
///
/// A list of thousands of keys is joined from short ones, and the descriptors are one string that an audit decodes. The
/// type checker would need minutes for one long literal of calls.
struct SwiftCatalogEmitter {
  let catalog: ResolvedCatalog
  let source: String

  /// The maximum number of elements in one literal.
  private static let chunk = 50

  func write(to output: inout OutputBuffer) {
    output.write("\n/// Every key that ")
    output.writeComment(source)
    output.write(" declares, for registration and for audits.\n")
    output.writeAccess(catalog.access)
    output.write("nonisolated enum ")
    output.write(catalog.swiftName)
    output.write(": ")
    output.write(RuntimeName.catalog)
    output.write(" {\n")
    writeList(
      catalog.keys.indices.filter { !catalog.keys[$0].isFamily }, name: RuntimeName.allKeys, type: RuntimeName.anyKey,
      wrapper: RuntimeName.anyKeyOf, isRequired: true, to: &output)
    writeList(
      catalog.keys.indices.filter { catalog.keys[$0].isFamily }, name: RuntimeName.allFamilies,
      type: RuntimeName.family, wrapper: "",
      isRequired: false, to: &output)
    if catalog.isSynced { writeFeatures(to: &output) }
    if !catalog.databases.isEmpty { writeParts(to: &output) }
    writeRows(catalog.keys.count, name: RuntimeName.descriptors, to: &output) {
      $0.write("{")
      $0.writeDescriptor(catalog.keys[$1])
      $0.write("}")
    }
    if !catalog.reserved.isEmpty {
      writeRows(catalog.reserved.count, name: RuntimeName.reservedNames, to: &output) {
        $0.writeReservedName(catalog.reserved[$1])
      }
    }
    output.write("}\n")
  }

  /// Names the feature of the product for sync. Without the product, the catalog does not compile.
  private func writeFeatures(to output: inout OutputBuffer) {
    output.write("\n  ")
    output.writeAccess(catalog.access)
    output.write("static let ")
    output.write(RuntimeName.features)
    output.write(": [")
    output.write(RuntimeName.feature)
    output.write("] = [")
    output.write(RuntimeName.syncFeature)
    output.write("]\n")
  }

  /// Names the databases, which are registered with the keys.
  private func writeParts(to output: inout OutputBuffer) {
    let parts = catalog.databases.map { ".records(\($0.typeName).self)" }.joined(separator: ", ")
    output.write("\n  ")
    output.writeAccess(catalog.access)
    output.write("static var parts: [\(RuntimeName.catalogPart)] { [\(parts)] }\n")
  }

  private func writeList(
    _ keys: [Int], name: StaticString, type: StaticString, wrapper: StaticString, isRequired: Bool,
    to output: inout OutputBuffer
  ) {
    guard isRequired || !keys.isEmpty else { return }
    if wrapper.utf8CodeUnitCount == 0 { output.write("\n") }
    guard keys.count > Self.chunk else {
      writeProperty(catalog.access, name, nil, type, to: &output)
      writeElements(keys[...], wrapper, to: &output)
      output.write("  }\n")
      return
    }
    let starts = Array(stride(from: 0, to: keys.count, by: Self.chunk))
    writeProperty(catalog.access, name, nil, type, to: &output)
    output.write("    var all: [")
    output.write(type)
    output.write("] = []\n    all.reserveCapacity(")
    output.writeGrouped(String(keys.count))
    output.write(")\n")
    for index in starts.indices {
      output.write("    all += ")
      output.write(name)
      output.write(index + 1)
      output.write("\n")
    }
    output.write("    return all\n  }\n")
    for (index, start) in starts.enumerated() {
      output.write("\n")
      writeProperty(nil, name, index + 1, type, to: &output)
      writeElements(keys[start..<min(start + Self.chunk, keys.count)], wrapper, to: &output)
      output.write("  }\n")
    }
  }

  /// Writes `public static var allKeys: [AnyStorageKey] {`. Without an access level, the property is private.
  private func writeProperty(
    _ access: AccessLevel?, _ name: StaticString, _ number: Int?, _ type: StaticString, to output: inout OutputBuffer
  ) {
    output.write("  ")
    if let access { output.writeAccess(access) } else { output.write("private ") }
    output.write("static var ")
    output.write(name)
    if let number { output.write(number) }
    output.write(": [")
    output.write(type)
    output.write("] {\n")
  }

  private func writeElements(_ keys: ArraySlice<Int>, _ wrapper: StaticString, to output: inout OutputBuffer) {
    guard !keys.isEmpty else { return output.write("    []\n") }
    output.write("    [\n")
    for index in keys {
      output.write("      ")
      if wrapper.utf8CodeUnitCount > 0 {
        output.write(wrapper)
        output.write("(")
      }
      if catalog.keys[index].deprecation != nil {
        output.write("Deprecated")
      }
      output.write(".")
      output.write(catalog.keys[index].descriptor.member)
      output.write(wrapper.utf8CodeUnitCount > 0 ? "),\n" : ",\n")
    }
    output.write("    ]\n")
  }

  /// Writes a list as JSON that audits decode, one line for each element.
  private func writeRows(
    _ count: Int, name: StaticString, to output: inout OutputBuffer, writeRow: (inout OutputBuffer, Int) -> Void
  ) {
    output.write("\n  ")
    output.writeAccess(catalog.access)
    output.write("static var ")
    output.write(name)
    output.write(": ")
    output.write(RuntimeName.catalogRows)
    output.write("? {\n    ")
    output.write(RuntimeName.format)
    output.write(RuntimeName.rows)
    output.write("(\n      #\"\"\"\n      [\n")
    for index in 0..<count {
      output.write("      ")
      writeRow(&output, index)
      output.write(index + 1 < count ? ",\n" : "\n")
    }
    output.write("      ]\n      \"\"\"#)\n  }\n")
  }
}
