/// The fields of a catalog.
enum DocumentField: UInt8, FieldName {
  case localdata, catalog, access, imports, defaults, types, keys, reserved

  static let names = NameTable<Self>()
}

/// The fields of a reserved name.
enum ReservedField: UInt8, FieldName {
  case name, domain, cleanup, note

  static let names = NameTable<Self>()
}
