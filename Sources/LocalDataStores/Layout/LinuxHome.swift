import LocalDataSystem

#if os(Linux)
  import LocalDataFoundation

  /// The folders of the XDG Base Directory Specification, which depend on the environment of the process.
  package enum LinuxHome {
    private static let dataVariable = "XDG_DATA_HOME"
    private static let dataFallback = ".local/share"

    /// The folder of data of all apps.
    static var data: String { base(dataVariable, dataFallback) }

    /// Returns the folder that a variable names, or else one in the user's home.
    static func base(_ variable: String, _ fallback: String) -> String {
      named(variable) ?? path(fallback, in: named("HOME") ?? ofUser ?? "/")
    }

    static func path(_ name: String, in folder: String) -> String {
      folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    /// Returns the path in a variable. The specification says that a relative path must be ignored.
    private static func named(_ variable: String) -> String? {
      guard let path = Environment[variable], path.hasPrefix("/") else { return nil }
      return path
    }

    /// The home folder in the database of users, which is a file that has to be read, or a service.
    private static var ofUser: String? {
      var buffer = [CChar](repeating: 0, count: 1 << 14)
      var entry = passwd()
      var found = UnsafeMutablePointer<passwd>?.none
      guard getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil, let home = entry.pw_dir
      else { return nil }
      let path = String(cString: home)
      return path.hasPrefix("/") ? path : nil
    }

    // MARK: Another environment

    /// Names of the library in the folder of an app's data. Each of its values leads to one of them.
    private static let names = ["preferences", "keystore.db", ".files.location", ".local-data.installed"]

    /// Returns a folder in which a process with another environment has stored values of the app, if the standard folder of
    /// data does not exist.
    ///
    /// For example, `XDG_DATA_HOME` is set in this process and was not before, or `HOME` is another folder than that of the
    /// database of users. The folder of an earlier `XDG_DATA_HOME` is not known.
    ///
    /// - Parameter name: The name of the app's folder.
    package static func earlierFolder(named name: String, insteadOf data: String) -> String? {
      guard access(data, F_OK) != 0 else { return nil }
      return [named("HOME"), ofUser].compactMap { home in home.map { path(name, in: path(dataFallback, in: $0)) } }
        .first { folder in
          folder != data && names.contains { access(path($0, in: folder), F_OK) == 0 }
        }
    }
  }
#endif
