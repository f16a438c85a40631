import LocalDataDocuments
import LocalDataFiles
import ArgumentParser
import LocalDataModel
import LocalDataSyntax

/// `due`: what ends soon.
struct DueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "due",
    abstract: "List the allowed findings, reviews and retentions that end soon, or have ended.",
    discussion: """
      Exits with 1 if an allowed finding or a review has ended. A retention ends on the day on which a value that is \
      written today is removed.
      """)

  @OptionGroup var catalogs: CatalogArguments

  @Option(help: ArgumentHelp("The time to look ahead, in days or weeks, for example 90d or 12w.", valueName: "time"))
  var within = "90d"

  @Option(help: "The form of the list.")
  var format = DeadlineReport.Format.text

  @Option(help: "The form of findings, on standard error.")
  var diagnostics = FindingsFormat.text

  func validate() throws {
    guard DeadlineReport.days(within) != nil else {
      throw ValidationError("'\(SafeText.escaped(within))' is not a time. Write days or weeks: --within 90d")
    }
  }

  func run() throws {
    var seen: Set<String> = []
    let sources = try catalogs.resolved(diagnostics: diagnostics).flatMap(\.sources).filter {
      seen.insert($0.path).inserted
    }
    let today = catalogs.day
    let deadlines = Deadline.all(in: sources.concurrentMap { CatalogReader.read($0) }.compactMap(\.tree), today: today)
    let report = DeadlineReport(deadlines, today: today, days: DeadlineReport.days(within) ?? 0)
    try Terminal.write(report.render(as: format))
    if report.overdue > 0 { throw ToolExit.findings }
  }
}

extension DeadlineReport.Format: ExpressibleByArgument {}
