import Foundation
import TestSupport
import Testing

/// `diff --format html`: the page of a change.
@Suite struct DifferencePageTests {
  private static func catalog(key: String, database: String, field: String) -> String {
    """
    localdata: 1
    catalog: Diary
    defaults: {owner: Team}
    databases:
      diary: {domain: {fileSystem: {directory: documents}}, \(database)description: The diary of the user.}
    records:
      Day:
        database: diary
        description: A day of the diary.
        fields: {id: {type: Int, number: 1}, text: {type: String, number: 2, encrypted: true}\(field)}
    keys:
      theme: {type: String, domain: userDefaults, security: none, \(key)description: The colors of the <diary>.}

    """
  }

  @Test func thePageHasEachPartOfTheDifference() throws {
    let tool = try Tool()
    try tool.write("Catalogs/Diary.yaml", Self.catalog(key: "", database: "", field: ""))
    #expect(try tool.run("release", "1.0").code == 0)
    let field = ", note: {type: \"String?\", number: 3, index: true}"
    try tool.write(
      "Catalogs/Diary.yaml",
      Self.catalog(key: "name: colors, retention: {until: relaunch}, ", database: "backup: false, ", field: field))
    let result = try tool.run("diff", "--against", "1.0", "--format", "html")
    #expect(result.code == 1)
    let page = result.output
    func contains(_ row: String) { #expect(page.contains(row), "\(row)\n\(page)") }
    // The fields.
    contains("<tr><th scope=\"row\">changed key &#39;theme&#39;</th><td>name</td><td>theme</td><td>colors</td></tr>")
    // The fates of a key, and of both parts of the fields of a database.
    contains("<tr><th scope=\"row\">theme</th><td>Relaunch</td><td>kept</td><td>lost</td><td>Its retention ends")
    for part in ["plain", "encrypted"] {
      contains(
        "<tr><th scope=\"row\">diary, \(part) fields</th><td>New device, encrypted backup</td><td>kept</td><td>lost</td>"
      )
    }
    // The statements of the merge.
    contains("<h2>Database diary</h2>")
    contains("<li><code>ALTER TABLE &quot;Day&quot; ADD COLUMN &quot;note&quot; TEXT;</code></li>")
    contains("<li><code>CREATE INDEX &quot;Day.note&quot;")
    // What has to be done.
    contains("<h2>To do before a release</h2>")
    contains("release 1.0 stored &#39;theme&#39;")
  }
}
