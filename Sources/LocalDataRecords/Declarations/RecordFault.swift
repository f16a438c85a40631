package import StorageSystem

/// An error that generated code throws while it reads or writes a row. The library turns it into a `StorageError`.
public struct RecordFault: Error {
  package let fault: StorageFault

  init(_ fault: StorageFault) { self.fault = fault }

  /// The row does not contain the values of the record.
  @_spi(Generated) public static var corrupted: RecordFault { RecordFault(.corrupted) }
}
