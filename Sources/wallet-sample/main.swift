import Foundation

// wallet-sample: the life of a wallet's credentials in a temporary folder. It moves the seed of an earlier release. Then it
// issues, shares, lists, renews and revokes credentials, and runs itself again to read what is left in another process. The
// folder is removed at the end.
let arguments = CommandLine.arguments.dropFirst()
do {
  if arguments.first == "--second-run", let folder = arguments.dropFirst().first {
    try await WalletLife(folder: URL(fileURLWithPath: folder)).afterARestart()
  } else {
    try await WalletLife.whole()
  }
} catch {
  print("failed: \(error)")
  exit(1)
}
