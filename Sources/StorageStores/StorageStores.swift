@_exported public import StorageSystem
@_exported public import StorageVocabulary
