import LocalDataModel
import LocalDataVocabulary

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
      catalog.keys.indices.filter { !catalog.keys[$0].isFamily }.map(Element.key), name: RuntimeName.allKeys,
      type: RuntimeName.anyKey, isRequired: true, to: &output)
    writeList(families, name: RuntimeName.allFamilies, type: RuntimeName.family, isRequired: false, to: &output)
    if catalog.isSynced { writeFeatures(to: &output) }
    writeParts(to: &output)
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

  /// Names the databases, which are registered with the keys, and what else is removed at sign-out.
  private func writeParts(to output: inout OutputBuffer) {
    var all = catalog.databases.map { ".records(\($0.typeName).self)" }
    let adopting = catalog.adoptingKeys.map { ".\($0.descriptor.member)" }.joined(separator: ", ")
    if !adopting.isEmpty { all.append(".signingKeys([\(adopting)])") }
    let backups = catalog.emittedBackupFiles.map { ".\($0.member)" }.joined(separator: ", ")
    if !backups.isEmpty { all.append(".backups { [\(backups)] }") }
    if all.isEmpty { return }
    let parts = all.joined(separator: ", ")
    output.write("\n  ")
    output.writeAccess(catalog.access)
    output.write("static var parts: [\(RuntimeName.catalogPart)] { [\(parts)] }\n")
  }

  /// An element of a list: a key or family by its index, the family of the private keys of a pair, or that of the journals of
  /// restores.
  private enum Element {
    case key(Int)
    case privateParts(Int)
    case restores
  }

  private var families: [Element] {
    var families: [Element] = []
    for (index, key) in catalog.keys.enumerated() {
      if key.isFamily { families.append(.key(index)) }
      if key.hasPrivateParts { families.append(.privateParts(index)) }
    }
    if catalog.backupFiles.contains(where: { !$0.records.isEmpty && !$0.keys.isEmpty }) { families.append(.restores) }
    return families
  }

  private func writeList(
    _ keys: [Element], name: StaticString, type: StaticString, isRequired: Bool, to output: inout OutputBuffer
  ) {
    guard isRequired || !keys.isEmpty else { return }
    if !isRequired { output.write("\n") }
    guard keys.count > Self.chunk else {
      writeProperty(catalog.access, name, nil, type, to: &output)
      writeElements(keys[...], to: &output)
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
      writeElements(keys[start..<min(start + Self.chunk, keys.count)], to: &output)
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

  private func writeElements(_ keys: ArraySlice<Element>, to output: inout OutputBuffer) {
    guard !keys.isEmpty else { return output.write("    []\n") }
    output.write("    [\n")
    for element in keys {
      output.write("      ")
      switch element {
      case .key(let index): writeElement(catalog.keys[index], to: &output)
      case .restores:
        output.write(".restores(of: ")
        output.writeLiteral(catalog.name)
        output.write(")")
      case .privateParts(let index): SwiftSigningEmitter.writePrivateParts(of: catalog.keys[index], to: &output)
      }
      output.write(",\n")
    }
    output.write("    ]\n")
  }

  private func writeElement(_ key: ResolvedKey, to output: inout OutputBuffer) {
    if !key.isFamily {
      output.write(key.isSigningKey ? RuntimeName.anySigningKeyOf : RuntimeName.anyKeyOf)
      output.write("(")
    }
    if key.deprecation != nil { output.write("Deprecated") }
    output.write(".")
    output.write(key.descriptor.member)
    if !key.isFamily { output.write(")") }
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
      let start = output.count
      output.write("      ")
      writeRow(&output, index)
      if index + 1 < count { output.write(",") }
      output.breakRow(from: start)
      output.write("\n")
    }
    output.write("      ]\n      \"\"\"#)\n  }\n")
  }
}
