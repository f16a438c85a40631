// The words of catalogs: most files of this target and of those that use it need them.
@_exported public import StorageAudit
