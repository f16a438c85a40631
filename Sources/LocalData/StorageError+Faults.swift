import StorageStores

extension StorageError {
  package init(fault: StorageFault, _ subject: Subject, _ operation: Operation = .read) {
    self.init(fault, subject, operation)
  }
}
