/// The fields of a type.
enum TypeField: UInt8, FieldName {
  case description, `enum`, raw, fields, swift

  static let names = NameTable<Self>()
}

/// What a case of an enum says.
enum EnumCaseField: UInt8, FieldName {
  case raw, description

  static let names = NameTable<Self>()
}

/// What a field of a struct says.
enum StructFieldField: UInt8, FieldName {
  case type, `default`, description

  static let names = NameTable<Self>()
}
