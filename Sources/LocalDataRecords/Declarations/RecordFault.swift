public import StorageSystem

/// A problem of a row, as generated code names it.
public typealias RecordFault = StorageFault
