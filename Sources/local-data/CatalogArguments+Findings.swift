import LocalDataFiles
import ArgumentParser
import LocalDataModel
import LocalDataSyntax

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The severities, the day and the colors that the options for findings choose.
extension CatalogArguments {
  /// - Parameter base: The severities of the project, which the options override.
  func severities(over base: Severities = Severities()) throws -> Severities {
    var result = base
    for (level, ids) in [(Severities.Level.deny, deny), (.warn, warn), (.allow, allow)] {
      for id in ids {
        do throws(Severities.Problem) {
          try result.set(level, for: id)
        } catch {
          throw ValidationError("--\(level.rawValue) \(SafeText.escaped(id)): \(SafeText.escaped(error.message)).")
        }
      }
    }
    return result
  }

  /// The last step of a run over today's catalogs.
  func pass(_ severities: Severities) -> FindingsPass {
    FindingsPass(severities: severities, today: day)
  }

  /// The day on which allowances and reviews are judged.
  var day: CalendarDate { today ?? .today }

  func isColored(on stream: Terminal.Stream) -> Bool {
    color.isColored(
      isTerminal: isatty(stream.rawValue) == 1, noColor: Self.variable("NO_COLOR"), term: Self.variable("TERM"))
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}

extension ColorChoice: ExpressibleByArgument {}

extension CalendarDate: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

extension Terminal {
  /// A stream of the process, by its descriptor.
  enum Stream: Int32 {
    case output = 1
    case error = 2
  }
}
