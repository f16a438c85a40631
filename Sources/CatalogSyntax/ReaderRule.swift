/// Every rule of the strict subset, by its stable id: what a file can break before anybody asks what it declares.
package enum ReaderRule: String, Sendable, CaseIterable {
  // Bytes and lines.
  case fileTooLarge = "file-too-large"
  case notUTF8 = "not-utf8"
  case lineEnd = "line-end"
  case controlCharacter = "control-character"
  // Features of YAML that a catalog does without.
  case directive
  case anchor
  case alias
  case tag
  case mergeKey = "merge-key"
  case secondDocument = "second-document"
  // The shape of a file.
  case indentation
  case tab
  case textAfterEnd = "text-after-end"
  case unterminated
  case tooDeep = "too-deep"
  case notYAML = "not-yaml"
  // Fields and their values.
  case duplicateField = "duplicate-field"
  case emptyKey = "empty-key"
  case keyNotText = "key-not-text"
  case missingColon = "missing-colon"
  case missingValue = "missing-value"
  case unquotedText = "unquoted-text"
  case unknownEscape = "unknown-escape"
  case lookAlike = "look-alike"
  case blockText = "block-text"
  case textTooLong = "text-too-long"
  // What stops the reader itself.
  case tooManyFindings = "too-many-findings"
  case outOfMemory = "out-of-memory"
}
