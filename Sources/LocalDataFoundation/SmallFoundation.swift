// What the runtime uses of Foundation. On Linux, all of Foundation adds 40 MB to a program with a static standard library.
#if os(Linux)
  @_exported public import Dispatch
  @_exported public import FoundationEssentials
  #if canImport(Musl)
    @_exported public import Musl
  #else
    @_exported public import Glibc
  #endif
#else
  @_exported public import Foundation
#endif
