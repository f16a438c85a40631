#if os(Linux)
  import Foundation
  import ProbeKeys
  import TestSupport
  import Testing

  /// The calls of one run whose power is cut, made at random from a seed.
  struct CutRun: Sendable, CustomTestStringConvertible {
    /// A kind of storage that a run uses.
    enum Kind: String, CaseIterable, Sendable {
      case files, items, migrations, rotations, records, merges, moves, processes

      /// The kinds of one process.
      static let alone = allCases.filter { $0 != .processes }
    }

    private static let each = 25
    /// Two hundred runs. Another seed has others.
    static let all = Kind.allCases.flatMap { kind in
      let first = max(0, Int(Sweep.seed % 1_000) - 1 - Sweep.part) * each
      return (first..<first + each).map { CutRun(kind, $0) }
    }

    let kind: Kind
    let number: Int
    /// The words of the calls of each process.
    private(set) var calls: [[String]] = []
    private(set) var model = CutModel()
    /// Moves whose values are read, with the number of each.
    private(set) var moves: [(ProbeMove, Int)] = []
    private(set) var cells: Set<CutCell> = []
    private(set) var held: Set<ProbeAddress> = []
    private(set) var counters: Set<CutCell> = []
    /// The entry after which the first process is killed. Another one goes on then, with the call that was interrupted.
    var end: Int?
    /// A Boolean value that indicates whether a process ends as if it were killed, without closing its databases.
    private(set) var isAbandoned = false

    var testDescription: String { "\(kind) \(number)" }

    private var random: SeededRandom
    private var texts = 0

    init(_ kind: Kind, _ number: Int) {
      self.kind = kind
      self.number = number
      random = SeededRandom(seed: UInt64(number) &* 1_000 &+ UInt64(Kind.allCases.firstIndex(of: kind) ?? 0))
      isAbandoned = number % 2 == 0
      if number % 3 == 2 { end = Int.random(in: kind == .processes ? 5...80 : 10...400, using: &random) }
      switch kind {
      case .files: addCells([.files, .encryptedFiles, .groupFiles], count: 6)
      case .items: addCells([.keychain, .preferences, .sealedPreferences, .groupPreferences], count: 7)
      case .migrations: addMigrations()
      case .rotations: addRotations()
      case .records: addRows(0, count: 6)
      case .merges: addMerge()
      case .moves: addMoves()
      case .processes: for writer in 0..<8 { addProcess(writer) }
      }
    }

    /// Returns a run in which every sync is needed.
    static func whole(_ kind: Kind) -> CutRun {
      var run = CutRun(kind)
      switch kind {
      case .files:
        for cell in [CutCell(.files, 0), CutCell(.files, 0), CutCell(.encryptedFiles, 1)] { run.set(cell) }
        run.remove(CutCell(.files, 0))
        run.hold(.files, ["spoil", "quarantine", "restore"])
      case .items: for number in 0..<2 { run.set(CutCell(.keychain, number)) }
      case .migrations:
        for (index, word) in ["files>preferences", "preferences>files"].enumerated() { run.addMove(word, index) }
      case .rotations:
        run.set(CutCell(.encryptedFiles, 0))
        run.hold(.sealedPreferences, ["spoil", "quarantine", "restore"])
        for verb in ["rotate", "retire"] { _ = run.add(verb) }
      case .records: run.addRows(0, count: 3)
      case .merges: run.addMerge()
      case .moves:
        run.addCard("one", "a")
        _ = run.add("cards:three")
        run.addCard("three", "b")
      case .processes: break
      }
      return run
    }

    private init(_ kind: Kind) {
      self.kind = kind
      number = 0
      random = SeededRandom(seed: 1)
    }

    // MARK: Calls

    private mutating func add(_ call: String, writer: Int = 0) -> CutModel.Step {
      while calls.count <= writer { calls.append([]) }
      calls[writer].append(call)
      return CutModel.Step(writer: writer, number: calls[writer].count - 1)
    }

    private mutating func text() -> String {
      texts += 1
      return "\(texts)x\([3, 40, 700, 5_000].randomElement(using: &random) ?? 3)"
    }

    /// Preferences of one suite are in one database.
    private static func track(_ address: ProbeAddress, _ writer: Int) -> String {
      "\(address == .sealedPreferences ? .preferences : address) of \(writer)"
    }

    private static func isDurable(_ address: ProbeAddress) -> Bool {
      ![.preferences, .sealedPreferences, .groupPreferences].contains(address)
    }

    private mutating func set(_ cell: CutCell, writer: Int = 0) {
      let text = text()
      cells.insert(cell)
      let step = add("set:\(cell):\(text)", writer: writer)
      let change = CutModel.Change(
        step: step, texts: ["\(cell)": text], isDurable: Self.isDurable(cell.address))
      model.add(change, to: Self.track(cell.address, writer))
    }

    private mutating func remove(_ cell: CutCell) {
      cells.insert(cell)
      let change = CutModel.Change(
        step: add("remove:\(cell)"), texts: ["\(cell)": nil], isDurable: Self.isDurable(cell.address), isMadeOnce: true)
      model.add(change, to: Self.track(cell.address, 0))
    }

    private mutating func setTogether(_ address: ProbeAddress) {
      let new = [text(), text()]
      let both = [CutCell(address, 0), CutCell(address, 1)]
      cells.formUnion(both)
      let pairs = zip(both, new).map { "\($0)=\($1)" }.joined(separator: ",")
      let texts = Dictionary(uniqueKeysWithValues: zip(both.map(\.description), new.map(Optional.some)))
      let change = CutModel.Change(
        step: add("together:\(pairs)"), texts: texts, isDurable: Self.isDurable(address))
      model.add(change, to: Self.track(address, 0))
    }

    /// A text is stored where a number is expected, is moved aside by a read, and may be restored.
    private mutating func hold(_ address: ProbeAddress) {
      hold(address, ["spoil", "quarantine", "restore"].prefix(Int.random(in: 2...3, using: &random)))
    }

    private mutating func hold(_ address: ProbeAddress, _ verbs: ArraySlice<String>) {
      guard held.insert(address).inserted else { return }
      let name = "held \(address)"
      for verb in verbs {
        let change = CutModel.Change(
          step: add("\(verb):\(address)"), texts: [name: "abc"], isDurable: verb != "spoil" || Self.isDurable(address))
        model.add(change, to: name)
      }
    }

    private mutating func addCells(_ addresses: [ProbeAddress], count: Int) {
      for _ in 0..<count {
        let address = addresses.randomElement(using: &random) ?? .files
        let cell = CutCell(address, Int.random(in: 0..<2, using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: remove(cell)
        case 2 where address == .files || address == .encryptedFiles || address == .sealedPreferences: hold(address)
        case 3, 4, 5:
          if address == .keychain || !Self.isDurable(address) { setTogether(address) } else { set(cell) }
        default: set(cell)
        }
      }
    }

    // MARK: Migrations and rotations

    static let moveWords = [
      "preferences>files", "files>preferences", "preferences>keychain", "keychain>preferences", "files>keychain",
      "keychain>files", "=encryptedFiles", "=sealedPreferences", "files+keychain>encryptedFiles",
      "encryptedFiles>groupFiles", "groupPreferences>groupFiles", "files>sealedPreferences",
    ]

    private mutating func addMigrations() {
      for index in 0..<2 { addMove(Self.moveWords[(number * 2 + index) % Self.moveWords.count], index) }
    }

    private mutating func addMove(_ word: String, _ index: Int) {
      guard let move = ProbeMove(word) else { return }
      moves.append((move, index))
      let places = move.isInPlace ? [move.destination] : move.sources
      let name = "moved \(index)"
      let whole = move.value(index)
      // Each part is stored alone. A part without the others counts as the whole value.
      let parts: [[String: String?]] =
        places.count == 1 ? [] : [[name: move.parts(index)[0] + "-"], [name: "-" + move.parts(index)[1]]]
      let source = CutModel.Change(
        step: add("source:\(word):\(index)"), texts: [name: whole], between: parts,
        isDurable: places.allSatisfy(Self.isDurable))
      model.add(source, to: name)
      let migration = add("migrate:\(word):\(index)")
      model.add(CutModel.Change(step: migration, texts: [name: whole]), to: name)
      // The entry that the move is complete.
      let entry = CutModel.Change(step: migration, texts: ["entry \(index)": "completed"], isMadeOnce: true)
      model.add(entry, to: "entry \(index)")
    }

    private mutating func addRotations() {
      let addresses: [ProbeAddress] = [.sealedPreferences, .encryptedFiles, .groupFiles, .groupPreferences, .keychain]
      for address in addresses.shuffled(using: &random).prefix(3) { set(CutCell(address, 0)) }
      if number % 2 == 1 {
        hold([.encryptedFiles, .sealedPreferences].randomElement(using: &random) ?? .encryptedFiles)
      }
      _ = add("rotate")
      set(CutCell(addresses.randomElement(using: &random) ?? .keychain, 1))
      _ = add(number % 4 == 3 ? "sweep" : "retire")
      set(CutCell(addresses.randomElement(using: &random) ?? .keychain, 1))
    }

    // MARK: Records

    private mutating func addRows(_ words: [String], _ texts: [String: String?], writer: Int) {
      let change = CutModel.Change(step: add("rows:\(words.joined(separator: ","))", writer: writer), texts: texts)
      model.add(change, to: "rows of \(writer)")
    }

    private mutating func addRows(_ writer: Int, count: Int) {
      var pages: [Int: String] = [:]
      var next = writer * 100
      for call in 0..<count {
        let folder = "\(writer)\(["a", "b"].randomElement(using: &random) ?? "a")"
        switch call == 0 ? 9 : Int.random(in: 0..<8, using: &random) {
        case 0:
          let lost = pages.filter { $0.value == folder }.keys
          var texts: [String: String?] = ["folder \(folder)": nil]
          for page in lost {
            texts["page \(page)"] = .some(nil)
            pages[page] = nil
          }
          addRows(["-folder/\(folder)"], texts, writer: writer)
        case 1:
          guard let page = pages.keys.min() else { continue }
          pages[page] = nil
          addRows(["-page/\(page)"], ["page \(page)": nil], writer: writer)
        case 2, 3:
          let text = text()
          addRows(["folder/\(folder)/\(text)"], ["folder \(folder)": text], writer: writer)
        case 4 where writer == 0 && pages.isEmpty == false:
          let names = pages.keys.map { "page \($0)" } + ["folder 0a", "folder 0b"]
          let change = CutModel.Change(
            step: add("clear"), texts: Dictionary(uniqueKeysWithValues: names.map { ($0, String?.none) }))
          model.add(change, to: "rows of 0")
          pages = [:]
        default:
          let (text, secret) = (text(), text())
          next += 1
          pages[next] = folder
          addRows(
            ["folder/\(folder)/\(text)", "page/\(next)/\(folder)/\(secret)"],
            ["folder \(folder)": text, "page \(next)": "\(folder) \(secret)"], writer: writer)
        }
      }
    }

    private mutating func addMerge() {
      if number % 2 == 0 {
        let change = CutModel.Change(step: add("trips"), texts: ["trips": "new"])
        model.add(change, to: "trips")
        _ = add("mergeTrips")
      } else {
        addRows(0, count: 3)
        _ = add("merge")
        addRows(["folder/0a/3x9000"], ["folder 0a": "3x9000"], writer: 0)
      }
    }

    private mutating func addMoves() {
      addCard("one", "a")
      if number % 3 == 0 { addCard("one", "b") }
      if number % 2 == 0 {
        _ = add("cards:two")
        addCard("two", "c")
      }
      _ = add("cards:three")
      addCard("three", "d")
    }

    private mutating func addCard(_ release: String, _ id: String) {
      let change = CutModel.Change(step: add("cards:\(release):\(id)"), texts: ["card \(id)": "whole"])
      model.add(change, to: "cards")
    }

    // MARK: Eight processes

    private mutating func addProcess(_ writer: Int) {
      let counter = CutCell([.files, .keychain].randomElement(using: &random) ?? .files, 9)
      counters.insert(counter)
      let turns = [0, 1, 2, 3].shuffled(using: &random).prefix(3)
      for turn in turns {
        switch turn {
        case 0:
          set(CutCell([.files, .encryptedFiles].randomElement(using: &random) ?? .files, 10 + writer), writer: writer)
        case 1:
          set(
            CutCell([.keychain, .sealedPreferences].randomElement(using: &random) ?? .keychain, 10 + writer),
            writer: writer)
        case 2: addRows(writer, count: 1)
        default: model.add(add("increment:\(counter)", writer: writer), toCounter: "\(counter)")
        }
      }
    }
  }
#endif
