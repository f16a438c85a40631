#if os(Linux)
  import Foundation

  /// A library that is loaded into a process before libc, and changes what the file calls of the process do.
  ///
  /// The C compiler of the machine builds it, once for all tests of a run.
  package struct PreloadedLibrary: Sendable {
    package struct CannotBuild: Error { package var output: String }

    /// A library that fails, cuts short, kills or lists file calls.
    package static var faultio: Self { get throws { try builtFaultio.get() } }
    /// A library that makes file names ignore case.
    package static var foldcase: Self { get throws { try builtFoldcase.get() } }

    /// A library that records every change of a file and every sync.
    package static var powercut: Self { get throws { try builtPowercut.get() } }

    /// A Boolean value that indicates whether there is a C compiler.
    package static var isAvailable: Bool { compiler != nil }

    package let path: String

    private static let builtFaultio = Result { try Self(building: "faultio") }
    private static let builtFoldcase = Result { try Self(building: "foldcase") }
    private static let builtPowercut = Result { try Self(building: "powercut") }
    private static let compiler: String? = ["/usr/bin/cc", "/usr/bin/gcc", "/usr/bin/clang"]
      .first { (path: String) in access(path, X_OK) == 0 }

    private init(building name: String) throws {
      let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../\(name)/\(name).c").standardizedFileURL.path
      path = BuiltProducts.executable("\(name).so").path
      // Another run may use the library at the same time: it is replaced as a whole.
      let draft = "\(path).\(getpid())"
      let end = try ChildProcess.run(
        Self.compiler ?? "", ["-shared", "-fPIC", "-O1", "-w", "-o", draft, source, "-ldl"])
      guard end.code == 0, rename(draft, path) == 0 else { throw CannotBuild(output: end.output) }
    }
  }
#endif
