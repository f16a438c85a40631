import Foundation

// storage-sample: writes and reads every key of the sample catalogs in a temporary folder, shows where each value is
// stored, and runs itself again to read the values in another process. The folder is removed at the end.
let arguments = CommandLine.arguments.dropFirst()
do {
  if arguments.first == "--second-run", let folder = arguments.dropFirst().first {
    try await SampleRun(folder: URL(fileURLWithPath: folder)).readAgain()
  } else {
    try await SampleRun.whole()
  }
} catch {
  print("failed: \(error)")
  exit(1)
}
