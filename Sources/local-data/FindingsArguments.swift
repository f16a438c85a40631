import ArgumentParser
import CatalogModel
import CatalogSyntax

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The options for severities and formats of findings, for every verb that checks catalogs.
struct FindingsArguments: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Make findings of a rule errors; 'warnings' means all warnings.", valueName: "rule"),
    completion: Completions.rulesOrWarnings)
  var deny: [String] = []

  @Option(
    parsing: .singleValue, help: ArgumentHelp("Make findings of a rule warnings.", valueName: "rule"),
    completion: Completions.rules)
  var warn: [String] = []

  @Option(
    parsing: .singleValue, help: ArgumentHelp("Do not report findings of a rule.", valueName: "rule"),
    completion: Completions.rules)
  var allow: [String] = []

  @Option(
    help: ArgumentHelp(
      "The day on which allowed findings and reviews end or not (default: today, in UTC).", valueName: "date"))
  var today: CalendarDate?

  @Option(help: "Whether findings are coloured. 'auto' colours them on a terminal, unless NO_COLOR is set.")
  var color = ColorChoice.auto

  /// Throws if a rule has no name.
  func validate() throws {
    // A rule that a project file declares is known only when that file is read.
    for id in deny + warn + allow where id.isEmpty { throw ValidationError("A rule has a name.") }
  }

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
  var day: CalendarDate { today ?? CalendarDate(secondsSince1970: time(nil)) }

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
