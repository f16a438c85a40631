import CatalogSyntax

/// Rules of the project file, and of what it asks of keys.
extension Rule {
  private static let anyCatalog = Example.keys("theme: {type: String, description: The colour scheme the user chose.}")

  static let invalidPolicy = Rule(
    "invalid-policy", .project, "A policy is an expression on the fields of a key, and its examples agree with it.",
    why: "A policy that cannot be evaluated would forbid nothing.", bad: nil, good: anyCatalog)

  static let unknownOwner = Rule(
    "unknown-owner", .project, "The owner of a key is one that the project file lists.",
    why: "Nobody answers for a key of an owner that does not exist.", bad: nil, good: anyCatalog, isAllowable: true)

  static let outsideProject = Rule(
    "outside-project", .project, "The project file names paths in the folder of the project.",
    why: "A change of the project file could otherwise read or overwrite files anywhere on the machine.", bad: nil,
    good: anyCatalog)

  static let unknownRule = Rule(
    "unknown-rule", .project, "The project file gives severities to rules that exist.",
    why: "A misspelt rule would keep its severity.", bad: nil, good: anyCatalog)
}
