import Foundation
import LocalData

// A separate process for tests of stores. Tests run several at once, kill them, trace them, or run them with another
// mask or user.
//
//   storage-probe [--umask N] <preferences|files|keychain> <folder> <verb> <name> [number…] [--abandon]
//   storage-probe migrations <folder> <append key count [batches] | read>
//   storage-probe foundation <folder> <write|get|remove>
//   storage-probe router <folder> <place> <get|set|increment|create|remove|burst|fork> [number]
//   storage-probe router <folder> <place> <spoil|quarantine|quarantineNow|quarantineOvertaken|removeQuarantined|restore|clearQuarantine>
//   storage-probe change <folder> <place> <transaction|create|removeCatalog|removeFamily|setValue|removeValue> [seed]
//   storage-probe records <folder> <create|save|insert|update|delete|deleteOfQuery|transaction|merge|removeAll> [seed | --abandon]
//   storage-probe records <folder> <increment count | move milliseconds | check milliseconds | repair | abandon>
//   storage-probe imports <folder> <read|again|removeAll|removeSources>
//   storage-probe backup <folder> <seed|export|restore|weigh|fill count>
//   storage-probe router <folder> synced apply <file with a payload>
//   storage-probe move <folder> <preferences>keychain|files~keychain|=encryptedFiles|…> <set|migrate|get|remove|sweep>
//                 [count [first]] [--abandon]
//   storage-probe cards <folder> <one|two|three> <save|read|rotate> [card…]
//   storage-probe family <folder> <preferences>keychain|=encryptedFiles|…> <set|sweep>
//   storage-probe maintenance <folder> <sweep|resecure|setAside|rotate|destroyRetired|abandon|seed [seconds ago]>
//   storage-probe rootKey <folder> <change source source | get source>
//   storage-probe home <app> <roots | get | set number>
//   storage-probe sync <folder> <unsynced|unlinked|acknowledged|unacknowledged> <count> <sets>
//   storage-probe trips <folder>
//   storage-probe soak <folder> <run|count> <number> <seconds>
//   storage-probe calls <folder> <writer> <first> <call>… [--abandon]
//   storage-probe time <folder> <move as above> <set|sweep|byHand|copy> <count>
//
// Prints what it read, or the fault; ends with 0, or 3 where there was a fault.
// Whoever waits for this process waits for two minutes at most.
alarm(120)
if let command = RouterCommand(CommandLine.arguments.dropFirst()) { exit(await command.run()) }
if let command = ChangeCommand(CommandLine.arguments.dropFirst()) { exit(await command.run()) }
if let command = RecordCommand(CommandLine.arguments.dropFirst()) { exit(await command.run()) }
if let command = ImportCommand(CommandLine.arguments.dropFirst()) { exit(await command.run()) }
if let command = BackupCommand(CommandLine.arguments.dropFirst()) { exit(await command.run()) }
if let command = CardCommand(CommandLine.arguments.dropFirst()) { exit(await command.run()) }
if let command = MaintenanceCommand(CommandLine.arguments.dropFirst()) { exit(await command.run()) }
if let command = MigrationCommand(CommandLine.arguments.dropFirst()) { exit(await command.run()) }
if let command = TripCommand(CommandLine.arguments.dropFirst()) { exit(await command.run()) }
if let command = PowerCutCommand(CommandLine.arguments.dropFirst()) { exit(await command.run()) }
if let command = FamilyCommand(CommandLine.arguments.dropFirst()) { exit(await command.run()) }
if var command = SoakCommand(CommandLine.arguments.dropFirst()) { exit(await command.run()) }
if let command = TimeCommand(CommandLine.arguments.dropFirst()) { exit(await command.run()) }
if let command = SyncTimeCommand(CommandLine.arguments.dropFirst()) { exit(await command.run()) }
if let command = MigrationLogCommand(CommandLine.arguments.dropFirst()) { exit(command.run()) }
if let command = FoundationCommand(CommandLine.arguments.dropFirst()) { exit(await command.run()) }
#if os(Linux)
  if let command = HomeCommand(CommandLine.arguments.dropFirst()) { exit(await command.run()) }
  if let command = RootKeyCommand(CommandLine.arguments.dropFirst()) { exit(await command.run()) }
#endif
exit(ProbeCommand(CommandLine.arguments.dropFirst()).map { $0.run() } ?? 64)
