import LocalDataVocabulary

extension CatalogRun {
  /// Everything of the run that is about the user.
  var personalData: ResolvedBackupFile.PersonalData {
    var data = ResolvedBackupFile.PersonalData()
    let keys = documents.flatMap { $0.keys.map(\.resolved) }
    keys.forEach { data.add($0) }
    for document in documents {
      for entry in document.unmanaged.lazy.map(\.resolved) where entry.descriptor.sensitivity.isForUser {
        data.leftOut.append(entry.findingName)
      }
    }
    for record in records.all {
      let sensitivities = record.fields.map { $0.draft.sensitivity ?? record.draft.sensitivity }
      if sensitivities.contains(where: \.isAboutPerson) {
        data.records.append(record.name)
        for (field, sensitivity) in zip(record.fields, sensitivities) where sensitivity == .credential {
          data.leftOut.append("\(record.name).\(field.name)")
        }
      } else if sensitivities.contains(.credential) {
        data.leftOut.append(record.name)
      }
    }
    data.leftOut.sort()
    let backedUp = Set(data.keys)
    let stored = keys.filter { backedUp.contains($0.descriptor.member) }.map {
      ($0.descriptor.member, $0.descriptor.name)
    }
    let count = Dictionary(
      stored.map { ($0.1, 1) } + data.records.map { (records[$0]?.storedName ?? "", 1) }, uniquingKeysWith: +)
    for (member, name) in stored where count[name] != 1 { data.names[member] = "keys.\(member)" }
    return data
  }
}

extension ResolvedBackupFile.PersonalData {
  fileprivate mutating func add(_ key: ResolvedKey) {
    let descriptor = key.descriptor
    guard descriptor.sensitivity.isForUser else { return }
    // A deprecated key is not mentioned in generated code, and the value of a legacy key is that of the key that migrates from it.
    if descriptor.sensitivity.isAboutPerson, key.canBeInBackupFile, key.deprecation == nil {
      keys.append(descriptor.member)
    } else {
      leftOut.append(descriptor.member)
    }
  }
}

extension Sensitivity {
  /// A Boolean value that indicates whether a document about the user has the data, or names it.
  fileprivate var isForUser: Bool { isAboutPerson || self == .credential }
}
