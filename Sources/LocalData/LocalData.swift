@_exported public import StorageVocabulary
