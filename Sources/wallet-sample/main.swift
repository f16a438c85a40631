import Foundation

// wallet-sample: the life of a wallet's credentials in a temporary folder. It issues, shares, lists, renews and revokes them,
// and runs itself again to read what is left in another process. The folder is removed at the end.
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
