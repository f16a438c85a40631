import LocalDataEmission
import LocalDataModel
import LocalDataVocabulary

/// The steps of a migration as JSON.
///
///     "migrations": [
///       {"kind": "move", "from": [{"member": "oldToken", "type": "String", "domain": …, "security": …}]},
///       {"kind": "transform", "from": [{"name": "code", "type": "Int", …}], "transform": "Steps.text", "whenAppVersion": "<2.0.0"}
///     ]
///
/// A source is a legacy key, by its member, or an address with the name under which earlier releases stored the value.
extension OutputBuffer {
  mutating func writeMigration(_ migration: ResolvedMigration) {
    writeFieldName("migrations")
    for (index, step) in migration.steps.enumerated() {
      write(index == 0 ? "[{" : ",{")
      write(step)
      write("}")
    }
    write("]")
  }

  private mutating func write(_ step: ResolvedMigration.Step) {
    switch step.action {
    case .move(let source): writeStep("move", [source])
    case .transform(let source, let function): writeStep("transform", [source], function)
    case .aggregate(let sources, let function): writeStep("aggregate", sources, function)
    case .secureInPlace(let domain, let security):
      writeField("kind", "secureInPlace", isFirst: true)
      write(",\"from\":[{\"domain\":")
      writeJSON(domain)
      writeFieldName("security")
      writeExplicitJSON(security)
      write("}]")
    case .custom(let name): writeStep("custom", [], name)
    }
    if let condition = step.condition { writeField("whenAppVersion", condition.text) }
    if step.onConflict == .remove { writeField("onConflict", step.onConflict.rawValue) }
  }

  private mutating func writeStep(
    _ kind: String, _ sources: [ResolvedMigration.Source], _ function: SwiftName? = nil
  ) {
    writeField("kind", kind, isFirst: true)
    if !sources.isEmpty {
      writeFieldName("from")
      for (index, source) in sources.enumerated() {
        write(index == 0 ? "[{" : ",{")
        write(source)
        write("}")
      }
      write("]")
    }
    if let function { writeField("transform", function.text) }
  }

  private mutating func write(_ source: ResolvedMigration.Source) {
    switch source {
    case .declared(let declared):
      writeField("member", declared.member, isFirst: true)
      if let field = declared.field {
        writeFieldName("field")
        write("[")
        for (index, name) in field.names.enumerated() {
          if index > 0 { write(",") }
          switch name {
          case .text(let text): writeJSON(text)
          case .parameter(let name): writeJSON("{\(name)}")
          }
        }
        write("]")
      }
      writeAddress(declared.type, declared.domain, declared.security)
    case .inline(let inline):
      writeField("name", inline.name, isFirst: true)
      writeAddress(inline.type, inline.domain, inline.security)
      writeFieldName("serializer")
      writeJSON(inline.serializer)
      if let dates = inline.dates { writeField("dates", dates.rawValue) }
      if let encoding = inline.encoding { writeField("encoding", encoding.rawValue) }
    }
  }

  private mutating func writeAddress(_ type: ValueType, _ domain: StorageDomain, _ security: SecurityPolicy) {
    writeField("type", type.swiftText)
    writeFieldName("domain")
    writeJSON(domain)
    writeFieldName("security")
    writeExplicitJSON(security)
  }
}
