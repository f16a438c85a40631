@_exported public import StorageSystem
@_exported public import StorageVocabulary

#if os(Linux)
  @_exported public import StorageSQLite
#endif
