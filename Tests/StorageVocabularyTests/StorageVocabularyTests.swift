import Testing

@Suite struct StorageVocabularyTests {}
