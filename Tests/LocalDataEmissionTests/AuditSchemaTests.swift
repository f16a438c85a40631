import LocalDataModel
import Foundation
import Testing

@testable import LocalDataDocuments

/// The schema of the JSON audit describes all that the generator writes, and nothing else is valid.
struct AuditSchemaTests {
  /// A value of JSON.
  private enum JSON: Decodable {
    case flag(Bool), integer(Int), text(String), list([JSON]), object([String: JSON])

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let flag = try? value.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? value.decode(Int.self) {
        self = .integer(number)
      } else if let text = try? value.decode(String.self) {
        self = .text(text)
      } else if let list = try? value.decode([JSON].self) {
        self = .list(list)
      } else {
        self = .object(try value.decode([String: JSON].self))
      }
    }

    subscript(name: String) -> JSON? { if case .object(let fields) = self { fields[name] } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var list: [JSON] { if case .list(let list) = self { list } else { [] } }
  }

  /// A reader of the part of JSON Schema that the schema uses. A property that is not described is a problem too.
  private struct Reader {
    let definitions: JSON

    init() throws {
      definitions = try #require(try JSONDecoder().decode(JSON.self, from: Data(AuditSchema.emit().utf8))["$defs"])
    }

    func problems(_ json: [UInt8]) throws -> [String] {
      problems(try JSONDecoder().decode(JSON.self, from: Data(json)), try #require(definitions["audit"]), "$")
    }

    private func problems(_ value: JSON, _ schema: JSON, _ path: String) -> [String] {
      if let name = schema["$ref"]?.text?.split(separator: "/").last {
        guard let definition = definitions[String(name)] else { return ["\(path): no definition \(name)"] }
        return problems(value, definition, path)
      }
      if let schemas = schema["anyOf"]?.list {
        let all = schemas.map { problems(value, $0, path) }
        return all.contains([]) ? [] : all.min { $0.count < $1.count } ?? ["\(path): nothing is valid"]
      }
      if let words = schema["enum"]?.list.compactMap(\.text) {
        return value.text.map(words.contains) == true ? [] : ["\(path): not one of \(words)"]
      }
      if case .integer(let number)? = schema["const"] {
        if case .integer(number) = value { return [] }
        return ["\(path): not \(number)"]
      }
      return problems(value, type: schema["type"]?.text ?? "", schema, path)
    }

    private func problems(_ value: JSON, type: String, _ schema: JSON, _ path: String) -> [String] {
      switch (type, value) {
      case ("string", .text), ("integer", .integer), ("boolean", .flag): return []
      case ("array", .list(let elements)):
        guard let item = schema["items"] else { return ["\(path): the schema has no items"] }
        return elements.enumerated().flatMap { problems($1, item, "\(path)[\($0)]") }
      case ("object", .object(let fields)):
        let missing = (schema["required"]?.list ?? []).compactMap(\.text).filter { fields[$0] == nil }
        return missing.map { "\(path): no \($0)" }
          + fields.sorted { $0.key < $1.key }.flatMap { name, value in
            (schema["properties"]?[name] ?? schema["additionalProperties"]).map {
              problems(value, $0, "\(path).\(name)")
            }
              ?? ["\(path).\(name): not described"]
          }
      default: return ["\(path): not of the type \(type)"]
      }
    }
  }

  @Test(arguments: try GoldenCase.all)
  func goldenAuditsAreValid(_ golden: GoldenCase) throws {
    #expect(try Reader().problems(AuditFormat.json.render(try golden.resolve())) == [])
  }

  @Test(arguments: RecordSamples.cases.map(\.name))
  func auditsOfRecordsAreValid(name: String) throws {
    let catalogs = try #require(RecordSamples.cases.first { $0.name == name }).catalogs
    #expect(try Reader().problems(AuditFormat.json.render(catalogs)) == [])
  }

  @Test(arguments: [
    ("\"format\":2", "\"format\":1", "$.format: not 2"),
    ("\"line\":7", "\"line\":\"7\"", "$.catalogs[0].keys[0].line: not of the type integer"),
    ("\"backup\":true", "\"backup\":1", "$.catalogs[0].keys[0].backup: not of the type boolean"),
    ("\"owner\":", "\"ownr\":", "$.catalogs[0].keys[0]: no owner"),
    ("\"domain\":\"userDefaults\"", "\"domain\":\"userDefault\"", "$.catalogs[0].keys[0].domain: "),
  ])
  func otherDocumentsAreNot(right: String, wrong: String, problem: String) throws {
    let text = String(decoding: AuditFormat.json.render([Samples.catalog(keys: [Samples.key("theme")])]), as: UTF8.self)
    #expect(text.contains(right))
    let problems = try Reader().problems(Array(text.replacing(right, with: wrong).utf8))
    #expect(problems.first?.hasPrefix(problem) == true, "\(problems)")
  }

  @Test func migrationsAreSteps() throws {
    let migrations = try #require(GoldenCase.all.first { $0.name == "Migrations" })
    let json = String(decoding: AuditFormat.json.render(try migrations.resolve()), as: UTF8.self)
    for part in [
      #""migrations":[{"kind":"move","from":[{"member":"sourceToken","type":"String","domain":"#,
      #"{"kind":"secureInPlace","from":[{"domain":"#, #"{"kind":"custom","transform":"MigratedCustom"}"#,
      #""transform":"MigrationSteps.join","onConflict":"remove"}]"#, #""whenAppVersion":"<2.0.0""#,
      #"{"name":"other","type":"#,
    ] { #expect(json.contains(part), "\(part)") }
    #expect(!json.contains("\"migration\":"))
  }
}
