package import LocalDataShapes

extension RecordShape.Record {
  /// Returns every reason for which a release cannot use the table of an earlier one.
  ///
  /// The merge that opens a database ends at the first reason. After each one the field is left out, and the merge is tried
  /// again. References to other records are not followed.
  package func refusals(of declared: RecordShape.Record, named name: String) -> [RecordMerge.Refusal] {
    var recorded = self
    var declared = declared
    var result: [RecordMerge.Refusal] = []
    while let refusal = recorded.refusal(of: declared, named: name) {
      result.append(refusal)
      switch refusal.reason {
      // Nothing else can be compared.
      case .keyChanged, .unknownReference: return result
      case .referenceChanged: declared.references[refusal.number] = recorded.references[refusal.number]
      case .sourceChanged, .sourceUnread: declared.sources[refusal.number] = nil
      // The fields have findings of their own.
      case .unsealed: recorded.required.removeAll { $0 == 0 }
      case .newUnique: declared.unique.removeAll { ($0.first ?? 0) == refusal.number }
      case .retired, .typeChanged, .encryptionChanged, .blindIndexChanged:
        if refusal.number == declared.key { return result }
        recorded.forget(refusal.number)
        declared.forget(refusal.number)
      }
    }
    return result
  }

  private func refusal(of declared: RecordShape.Record, named name: String) -> RecordMerge.Refusal? {
    do throws(RecordMerge.Refusal) {
      _ = try merging(declared, named: name)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the table after a release has opened it. A release that cannot use the table leaves it as it is.
  package func opened(by declared: RecordShape.Record, named name: String) -> RecordShape.Record {
    do throws(RecordMerge.Refusal) { return try merging(declared, named: name) } catch { return self }
  }

  private func merging(
    _ declared: RecordShape.Record, named name: String
  ) throws(RecordMerge.Refusal) -> RecordShape.Record {
    // The tables that it refers to are merged by themselves.
    var tables = RecordShape()
    for reference in declared.references.values {
      tables.records[reference.record] = .init(key: 1, columns: [:])
    }
    tables.records[name] = self
    return try tables.merging(RecordShape(records: [name: declared])).shape.records[name] ?? self
  }

  private mutating func forget(_ number: Int) {
    columns[number] = nil
    sealed[number] = nil
    wire[number] = nil
    references[number] = nil
    reserved[number] = nil
    retired.removeAll { $0 == number }
    required.removeAll { $0 == number }
    indexes.removeAll { $0.contains(number) }
    unique.removeAll { $0.contains(number) }
  }
}
