import StorageSystem
import Testing

@testable import StorageSQLite

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

struct SQLiteFaultTests {
  /// Codes by their numbers in SQLite's documentation.
  @Test(
    arguments: [
      (5, StorageFault.busy), (261, .busy), (517, .busy), (6, .busy), (15, .busy), (13, .outOfSpace),
      (11, .databaseDamaged), (267, .databaseDamaged), (26, .databaseDamaged), (1, .databaseDamaged),
      (3, StorageFault(errno: EPERM)), (8, .accessDenied), (264, .accessDenied), (23, StorageFault(errno: EPERM)),
      (1_032, .busy),
      (18, .valueTooLarge(limit: nil)), (7, .io(errno: ENOMEM)),
      (10, .io(errno: EIO)), (266, .io(errno: EIO)), (3_082, .io(errno: ENOMEM)), (8_202, .databaseDamaged),
      (8_458, .databaseDamaged), (14, .io(errno: EIO)), (1_550, .io(errno: ELOOP)), (21, .io(errno: EINVAL)),
    ] as [(Int32, StorageFault)])
  func ofSQLite(_ code: Int32, _ fault: StorageFault) { #expect(StorageFault(sqlite: code, nil) == fault) }
}
