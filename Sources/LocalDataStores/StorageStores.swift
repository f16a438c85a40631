@_exported public import LocalDataSystem
@_exported public import LocalDataVocabulary

#if os(Linux)
  @_exported public import LocalDataSQLite
#endif
