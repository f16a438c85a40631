#if os(Linux)
  import Foundation
  import TestSupport

  /// A choice of the pending changes that a disk has after a cut.
  enum CutChoice: CustomStringConvertible {
    case all
    case none
    /// All but those of one file or folder.
    case allBut(CutDisk.Node)
    /// Those of one file or folder.
    case only(CutDisk.Node)
    /// Each change with a likelihood in percent. One in four of the others is torn: the disk has some sectors of it.
    case some(Int, SeededRandom)

    var description: String {
      switch self {
      case .all: "with everything"
      case .none: "with what was synced"
      case .allBut(let node): "without the changes of node \(node.number)"
      case .only(let node): "with the changes of node \(node.number) alone"
      case .some(let likelihood, _): "with \(likelihood)% of the changes"
      }
    }

    /// A choice that is made at random.
    static func random(_ disk: CutDisk, _ random: inout SeededRandom) -> Self {
      let changed = disk.changed
      guard let node = changed.randomElement(using: &random) else { return .all }
      switch Int.random(in: 0..<10, using: &random) {
      case 0: return .all
      case 1, 2: return .none
      case 3, 4: return .allBut(node)
      case 5: return .only(node)
      default:
        let likelihood = [15, 50, 50, 85].randomElement(using: &random) ?? 50
        return .some(likelihood, SeededRandom(seed: random.next()))
      }
    }
  }

  /// The files and folders of a disk after a cut.
  struct CutState: Hashable {
    struct File: Hashable {
      var path: String
      var mode: UInt32
      /// `nil` for a folder.
      var bytes: Data?
    }

    /// Each folder comes before the files in it.
    private(set) var files: [File] = []

    init(_ disk: CutDisk, _ choice: CutChoice) {
      var choice = choice
      // Each node is chosen for once, whatever leads to it.
      var modes: [Int: UInt32] = [:]
      var contents: [Int: Data] = [:]
      var names: [Int: [String: CutDisk.Node]] = [:]
      for node in disk.all {
        var mode = node.mode
        var bytes = node.bytes
        var entries = node.names
        for change in node.pending {
          switch choice.part(of: node) {
          case .whole:
            if case .mode(let new) = change { mode = new }
            change.apply(to: &bytes)
            change.apply(to: &entries)
          case .torn(let sectors):
            // Only bytes can be torn.
            change.apply(to: &bytes) { sectors >> UInt64($0 % 64) & 1 == 1 }
          case .missing: break
          }
        }
        modes[node.number] = mode
        contents[node.number] = bytes
        names[node.number] = entries
      }
      func add(_ node: CutDisk.Node, _ path: String) {
        guard node.isFolder else {
          files.append(File(path: path, mode: modes[node.number] ?? 0, bytes: contents[node.number]))
          return
        }
        if !path.isEmpty { files.append(File(path: path, mode: modes[node.number] ?? 0)) }
        for (name, child) in (names[node.number] ?? [:]).sorted(by: { $0.key < $1.key }) {
          add(child, path + "/" + name)
        }
      }
      add(disk.root, "")
    }

    /// A number that equal states share.
    var digest: Int {
      var hasher = Hasher()
      for file in files {
        hasher.combine(file.path)
        hasher.combine(file.mode)
        hasher.combine(file.bytes?.count)
        file.bytes?.withUnsafeBytes { hasher.combine(bytes: $0) }
      }
      return hasher.finalize()
    }

    struct CannotWrite: Error {
      var path: String
      var errno: Int32
    }

    /// Makes the state in a new folder.
    func write(to folder: String) throws {
      guard mkdir(folder, 0o700) == 0 else { throw CannotWrite(path: folder, errno: errno) }
      for file in files {
        let path = folder + file.path
        guard let bytes = file.bytes else {
          guard mkdir(path, mode_t(file.mode & 0o777)) == 0 else { throw CannotWrite(path: path, errno: errno) }
          continue
        }
        let raw = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(file.mode & 0o777))
        guard raw >= 0 else { throw CannotWrite(path: path, errno: errno) }
        defer { close(raw) }
        let count = bytes.withUnsafeBytes { Foundation.write(raw, $0.baseAddress, $0.count) }
        guard count == bytes.count else { throw CannotWrite(path: path, errno: errno) }
      }
    }

    /// Reads the files of a folder, without the shared memory of databases.
    init(ofFolder folder: String) throws {
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where !name.hasSuffix("-shm") {
        var status = stat()
        guard lstat("\(folder)/\(name)", &status) == 0 else { throw CannotWrite(path: name, errno: errno) }
        let isFolder = status.st_mode & 0o170000 == 0o040000
        let bytes = isFolder ? nil : try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
        files.append(File(path: "/" + name, mode: status.st_mode, bytes: bytes))
      }
    }

    /// Returns the paths at which this state and another one differ.
    func differences(from other: CutState) -> [String] {
      let mine = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
      let others = Dictionary(other.files.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
      return Set(mine.keys).union(others.keys).filter { mine[$0] != others[$0] }.sorted()
    }
  }

  extension CutChoice {
    fileprivate enum Part {
      case whole
      case missing
      /// The sectors, modulo 64, that the disk has.
      case torn(UInt64)
    }

    fileprivate mutating func part(of node: CutDisk.Node) -> Part {
      switch self {
      case .all: return .whole
      case .none: return .missing
      case .allBut(let other): return node === other ? .missing : .whole
      case .only(let other): return node === other ? .whole : .missing
      case .some(let likelihood, var random):
        defer { self = .some(likelihood, random) }
        if Int.random(in: 0..<100, using: &random) < likelihood { return .whole }
        guard !node.isFolder, random.next() % 4 == 0 else { return .missing }
        return .torn(random.next())
      }
    }
  }
#endif
