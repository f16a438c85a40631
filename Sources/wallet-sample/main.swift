import Foundation

// wallet-sample [FOLDER]: the life of a wallet's credentials. It moves the seed of an earlier release. Then it
// issues, shares, lists, renews and revokes credentials, and runs itself again to read what is left in another process. The
// data stays in FOLDER, which is empty or does not exist. Without it, the data is in a temporary folder, which is removed.
let arguments = CommandLine.arguments.dropFirst()
do {
  if arguments.first == "--second-run", let folder = arguments.dropFirst().first {
    try await WalletLife(folder: URL(fileURLWithPath: folder)).afterARestart()
  } else if let folder = arguments.first {
    try await WalletLife.whole(in: URL(fileURLWithPath: folder))
  } else {
    try await WalletLife.inTemporaryFolder()
  }
} catch {
  print("failed: \(error)")
  exit(1)
}
