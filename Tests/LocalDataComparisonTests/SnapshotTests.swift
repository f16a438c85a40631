import LocalDataComparison
import LocalDataModel
import LocalDataSyntax
import Testing

/// Snapshots as files: their bytes, and what is read from them.
@Suite struct SnapshotTests {
  private static let catalog = """
    localdata: 1
    catalog: Account
    access: public
    types:
      Theme: {enum: {light: l, dark: d}}
      Level: {raw: Int, enum: {low: 1}}
      Point: {fields: {x: Int, y: {type: Int, default: -2}, note: String?}}
    keys:
      zoom: {type: Int, default: 3, domain: userDefaults, security: none, owner: Team, description: The zoom.}
      draft:
        type: "[Theme: Point]"
        parameters: {id: UUID}
        domain: {appGroupFileSystem: {identifier: group.a, directory: {custom: Drafts/2024}}}
        security: {encrypted: {algorithm: aes256GCM, keyDerivation: {pbkdf2: {iterations: 600000}}, keySource: {external: pin}}}
        migration: [{from: {name: "old_{id}", domain: userDefaults, security: none}}, {custom: Mover}]
        owner: "Team \\"A\\" \\\\"
        description: "A draft \\u202E \\u2028 😀 that\\nis written."
    reserved:
      - {name: session, domain: keychain, cleanup: delete, note: Dropped in 1.4.}

    """

  private func read(_ text: String) throws(SnapshotReader.Failure) -> CatalogState {
    try SnapshotReader.read(SourceFile(path: "1.0.json", bytes: Array(text.utf8))).state
  }

  @Test func aSnapshotHoldsAllThatIsCompared() throws {
    let today = try Today(Self.catalog)
    let json = SnapshotWriter.write(today.state, release: "1.0")
    let state = try read(json)
    #expect(state.title == "release 1.0")
    #expect(state.keys == today.state.keys)
    #expect(state.types == today.state.types)
    #expect(state.catalogs == today.state.catalogs)
    #expect(state.reserved == today.state.reserved)
    #expect(state.keys["draft"]?.domain == today.state.keys["draft"]?.domain)
    #expect(state.keys["draft"]?.security == today.state.keys["draft"]?.security)
    #expect(state.keys["draft"]?.steps == today.state.keys["draft"]?.steps)
    #expect(SnapshotWriter.write(state, release: "1.0") == json)
  }

  /// The format of released files: a change of it needs a new number, and a reader of both.
  @Test func theFormatIsFixed() throws {
    let json = SnapshotWriter.write(
      try Today(
        """
        localdata: 1
        catalog: A
        types: {B: {enum: [c, d]}}
        keys:
          e: {type: B, domain: userDefaults, security: none, owner: F, description: Says what.}

        """
      ).state, release: "1.0")
    #expect(
      json == """
        {
          "format": 1,
          "release": "1.0",
          "catalogs": {
            "A": {
              "access": "internal"
            }
          },
          "types": {
            "B": {
              "catalog": "A",
              "enum.c": "c",
              "enum.d": "d"
            }
          },
          "keys": {
            "e": {
              "catalog": "A",
              "name": "e",
              "type": "B",
              "access": "internal",
              "domain": "userDefaults",
              "security": "none",
              "serializer": "json",
              "schema": 1,
              "legacy": false,
              "availability": "all",
              "syncPolicy": "never",
              "owner": "F",
              "description": "Says what.",
              "sensitivity": "internal",
              "maxSize": 1048576
            }
          },
          "reserved": []
        }

        """)
  }

  /// A release that did not know `onCorruption` has thrown, as a key does that does not write it.
  @Test func aReleaseWithoutACorruptionPolicyIsOneThatThrows() throws {
    let json = SnapshotWriter.write(try Today(Self.catalog).state, release: "1.0")
    #expect(!json.contains("onCorruption"))
    let policy = Self.catalog.replacing("default: 3,", with: "default: 3, onCorruption: throw,")
    #expect(SnapshotWriter.write(try Today(policy).state, release: "1.0") == json)
    let lenient = try Today(policy.replacing("throw", with: "useDefault"))
    let written = SnapshotWriter.write(lenient.state, release: "1.0")
    #expect(written.contains("\"onCorruption\": \"useDefault\""))
    #expect(try read(written).keys == lenient.state.keys)
    #expect(try lenient.findings([("1.0", Array(Self.catalog.utf8))]).isEmpty)
  }

  @Test func theOrderOfFilesAndKeysDoesNotCount() throws {
    let lines = Self.catalog.split(separator: "\n", omittingEmptySubsequences: false)
    let zoom = try #require(lines.firstIndex { $0.hasPrefix("  zoom") })
    var moved = lines
    moved.insert(moved.remove(at: zoom), at: zoom + 8)
    let texts = try [lines, moved].map {
      SnapshotWriter.write(try Today($0.joined(separator: "\n")).state, release: "1.0")
    }
    #expect(texts[0] == texts[1])
  }

  @Test func keysThatAreTheSameAreNotParsed() throws {
    let today = try Today(Self.catalog)
    let json = SnapshotWriter.write(today.state, release: "1.0")
    let file = SourceFile(path: "1.0.json", bytes: Array(json.replacing("The zoom.", with: "A zoom.").utf8))
    let baseline = try SnapshotReader.read(file, besides: .init(today.state))
    #expect(baseline.unchanged == ["draft"])
    #expect(Array(baseline.state.keys.keys) == ["zoom"])
    #expect(baseline.state.keys["zoom"]?[.description] == .text("A zoom."))
  }

  /// Every byte of a key counts, also the last ones of a text of any length.
  @Test(arguments: 0..<8)
  func aKeyThatDiffersInItsLastCharacterIsParsed(padding: Int) throws {
    let states = try [1, 2].map { size in
      try Today(
        """
        localdata: 1
        catalog: A
        keys:
          e:
            {type: Int, domain: userDefaults, security: none, owner: F, maxSize: \(size),
             description: Says what\(String(repeating: "x", count: padding)) it is.}

        """
      ).state
    }
    let json = SnapshotWriter.write(states[0], release: "1.0")
    let file = SourceFile(path: "1.0.json", bytes: Array(json.utf8))
    #expect(try SnapshotReader.read(file, besides: .init(states[0])).unchanged == ["e"])
    #expect(try SnapshotReader.read(file, besides: .init(states[1])).unchanged == [])
  }

  /// A later version of the tool may know more types. What cannot be parsed is compared as text, and not left out.
  @Test(arguments: [("Tuple(Int)", 1), ("Int", 0)])
  func aFieldsTypeThatThisVersionDoesNotKnowIsCompared(type: String, count: Int) throws {
    let today = try Today(
      """
      localdata: 1
      catalog: A
      types:
        Point: {fields: {x: Int}, description: A place.}
      keys:
        place: {type: Point, domain: userDefaults, security: none, owner: F, description: Says where it is.}

      """)
    let json = SnapshotWriter.write(today.state, release: "1.0").replacing("\"Int\"", with: "\"\(type)\"")
    let file = SourceFile(path: "1.0.json", bytes: Array(json.utf8))
    let baseline = try SnapshotReader.read(file, besides: .init(today.state))
    #expect(ReleaseComparison(today: today.state).findings(against: [baseline]).count == count)
  }

  /// Whatever formatter was run over it, a snapshot says the same.
  @Test func aReformattedSnapshotIsRead() throws {
    let today = try Today(Self.catalog)
    let json = SnapshotWriter.write(today.state, release: "1.0")
    for text in [
      json.replacing("\n", with: "\r\n"), json.replacing("  ", with: " "), json.replacing(",\n", with: ", "),
    ] {
      let file = SourceFile(path: "1.0.json", bytes: Array(text.utf8))
      let baseline = try SnapshotReader.read(file, besides: .init(today.state))
      #expect(baseline.state.keys.count + baseline.unchanged.count == 2)
      #expect(ReleaseComparison(today: today.state).findings(against: [baseline]).isEmpty)
    }
  }

  /// A file that was renamed or copied would protect another release than its name says.
  @Test func aSnapshotOfAnotherReleaseIsRefused() throws {
    let json = SnapshotWriter.write(try Today(Self.catalog).state, release: "1.1")
    let file = SourceFile(path: "1.0.json", bytes: Array(json.utf8))
    #expect(try SnapshotReader.read(file).state.title == "release 1.1")
    #expect(try SnapshotReader.read(file, version: "1.1").state.title == "release 1.1")
    do {
      _ = try SnapshotReader.read(file, version: "1.0")
      Issue.record("it was read")
    } catch {
      #expect(error.message.contains("named for release 1.0, and it is of release 1.1"), "\(error.message)")
    }
  }

  @Test(arguments: [
    ("", "it is not a map"), ("[]", "it is not a map"), ("{\"format\": 1", "has no '}'"),
    ("{\"format\": 3, \"release\": \"9\", \"keys\": {}}", "has the format 3"),
    ("{\"release\": \"9\", \"keys\": {}}", "'format' is missing"),
    ("{\"format\": 0, \"release\": \"9\", \"keys\": {}}", "'format' is missing"),
    ("{\"format\": 1, \"keys\": {}}", "'release' or 'keys' is missing"),
    ("{\"format\": 1, \"release\": \"9\", \"keys\": {\"a\": {}}}", "the key 'a' is not complete"),
    ("{\"format\": 1, \"release\": \"9\", \"keys\": {\"a\": 1}}", "the key 'a' is not complete"),
    (
      "{\"format\": 1, \"release\": \"9\", \"keys\": {\"a\": {\"type\": \"Int\", \"name\": \"a\", \"domain\": \"cloud\", "
        + "\"security\": \"none\"}}}", "the key 'a' is not complete"
    ),
    ("{\"format\": 1, \"release\": \"9\", \"keys\": {}, \"reserved\": [{}]}", "a reserved name is not complete"),
    ("<<<<<<< HEAD\n{\"format\": 1}\n", "cannot read"),
  ])
  func aDamagedSnapshotIsRefused(text: String, reason: String) throws {
    do {
      _ = try read(text)
      Issue.record("it was read")
    } catch {
      #expect(error.message.contains(reason), "\(error.message)")
      #expect(error.message.contains("1.0.json"))
      #expect(!error.help.isEmpty)
    }
  }
}
