import Foundation

// wallet-sample [FOLDER]: the life of a wallet's credentials. It imports the rows of an earlier release, and moves its seed. Then it
// issues, shares, lists, renews and revokes credentials, and runs itself again to read what is left in another process. It writes
// backups, signs out, restores them on another device, and repairs a damaged database. The data stays in FOLDER, which is empty or
// does not exist. Without it, the data is in a temporary folder, which is removed.
let arguments = CommandLine.arguments.dropFirst()
do {
  if let run = arguments.first, run.hasPrefix("--"), let folder = arguments.dropFirst().first {
    let folder = URL(fileURLWithPath: folder)
    try await WalletLife(folder: folder).goOn(run, folder)
  } else if let folder = arguments.first {
    try await WalletLife.whole(in: URL(fileURLWithPath: folder))
  } else {
    try await WalletLife.inTemporaryFolder()
  }
} catch {
  print("failed: \(error)")
  exit(1)
}
