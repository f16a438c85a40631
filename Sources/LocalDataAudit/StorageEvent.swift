/// Something that happens to a device, to an app or to its user, after which a stored value may be missing.
package enum StorageEvent: String, CaseIterable, Sendable {
  /// The device is locked. It was unlocked before, since it was started.
  case deviceLocked
  case relaunch
  case update
  /// An earlier release is installed over a later one, for example with TestFlight.
  case downgrade
  /// The app is deleted, and installed again.
  case reinstall
  /// The device is erased, and a backup of it is restored.
  case restoreSameDevice
  /// An encrypted backup on a computer is restored on another device.
  case encryptedBackup
  /// A backup on a computer that is not encrypted is restored on another device.
  case unencryptedBackup
  /// The data is moved from the former device to another one, with Quick Start.
  case directTransfer
  /// A backup in iCloud is restored on another device.
  case iCloudRestore
  /// A backup that the app has written, and that the user kept, is restored on another device.
  case ownBackup
  /// The app is transferred to another team of developers, and updated.
  case teamTransfer
  /// The watch is unpaired, and paired again.
  case watchPairedAgain
  case signOut

  /// The heading of the event in an audit.
  package var title: String {
    switch self {
    case .deviceLocked: "Device locked"
    case .relaunch: "Relaunch"
    case .update: "Update"
    case .downgrade: "Downgrade"
    case .reinstall: "Reinstall"
    case .restoreSameDevice: "Restore on this device"
    case .encryptedBackup: "New device, encrypted backup"
    case .unencryptedBackup: "New device, unencrypted backup"
    case .directTransfer: "New device, direct transfer"
    case .iCloudRestore: "New device, iCloud"
    case .ownBackup: "New device, app's backup"
    case .teamTransfer: "Transfer to another team"
    case .watchPairedAgain: "Watch paired again"
    case .signOut: "Sign-out"
    }
  }

  /// A Boolean value that indicates whether the app is launched anew before the value is read.
  var launchesApp: Bool {
    switch self {
    case .deviceLocked, .ownBackup, .watchPairedAgain, .signOut: false
    case .relaunch, .update, .downgrade, .reinstall, .restoreSameDevice, .encryptedBackup, .unencryptedBackup,
      .directTransfer, .iCloudRestore, .teamTransfer:
      true
    }
  }
}
