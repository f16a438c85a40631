#if os(Linux)
  import Foundation

  /// The files of a run as a disk may have them, entry by entry of its trace.
  ///
  /// A sync of a file puts its bytes on the disk, and not its name. A sync of a folder puts the names in it on the disk, and
  /// neither the bytes of its files nor its own name. Every other change is pending until then: a disk may have it or not, whatever
  /// became of those before it. A rename in a folder is one change.
  final class CutDisk {
    /// A file or a folder, with what is on the disk for certain and what may be.
    final class Node {
      let number: Int
      let isFolder: Bool
      var mode: UInt32
      var bytes = Data()
      var names: [String: Node] = [:]
      var pending: [Change] = []

      init(number: Int, mode: UInt32) {
        self.number = number
        self.mode = mode
        isFolder = mode & 0o170000 == 0o040000
      }
    }

    enum Change {
      case write(offset: Int, Data)
      case truncate(Int)
      case mode(UInt32)
      case add(String, Node)
      case rename(String, String)
      case remove(String)
    }

    struct UnknownNode: Error {
      var node: CutTrace.Node
    }

    let root: Node
    private var nodes: [CutTrace.Node: Node]
    /// The folders and files in the order of their creation, without those that no name can lead to any more.
    private(set) var all: [Node]

    /// Creates the disk before the run: an empty folder.
    init(root: CutTrace.Node) {
      let folder = Node(number: 0, mode: 0o040700)
      self.root = folder
      nodes = [root: folder]
      all = [folder]
    }

    /// The nodes with changes that are not on the disk for certain.
    var changed: [Node] { all.filter { !$0.pending.isEmpty } }

    func apply(_ entry: CutTrace.Entry) throws {
      switch entry {
      case .create(let folder, let name, let number, let mode):
        // The number of a file that was removed may be used again.
        let new = Node(number: all.count, mode: mode)
        nodes[number] = new
        all.append(new)
        try node(folder).pending.append(.add(name, new))
      case .write(let number, let offset, let bytes): try node(number).pending.append(.write(offset: offset, bytes))
      case .truncate(let number, let size): try node(number).pending.append(.truncate(size))
      case .mode(let number, let mode): try node(number).pending.append(.mode(mode))
      case .sync(let number): try node(number).sync()
      case .rename(let folder, let name, let newName): try node(folder).pending.append(.rename(name, newName))
      case .link(let folder, let name, let number): try node(folder).pending.append(.add(name, try node(number)))
      case .unlink(let folder, let name): try node(folder).pending.append(.remove(name))
      case .mark: break
      }
    }

    /// Returns the file or folder that has an inode now.
    func known(_ number: CutTrace.Node) -> Node? { nodes[number] }

    private func node(_ number: CutTrace.Node) throws -> Node {
      guard let node = nodes[number] else { throw UnknownNode(node: number) }
      return node
    }
  }

  extension CutDisk {
    /// Returns the path of a file or folder with every change, or `nil` if no name leads to it.
    func path(of wanted: Node) -> String? {
      func find(_ node: Node, _ path: String) -> String? {
        if node === wanted { return path }
        var names = node.names
        for change in node.pending { change.apply(to: &names) }
        for (name, child) in names {
          if let found = find(child, path + "/" + name) { return found }
        }
        return nil
      }
      return find(root, "")
    }
  }

  extension CutDisk.Change: CustomStringConvertible {
    var description: String {
      switch self {
      case .write: "write"
      case .truncate: "truncate"
      case .mode: "mode"
      case .add(let name, _): "add \(name)"
      case .rename(let name, let newName): "rename \(name) \(newName)"
      case .remove(let name): "remove \(name)"
      }
    }
  }

  extension CutDisk.Node {
    fileprivate func sync() {
      for change in pending { change.apply(to: self) }
      pending = []
    }
  }

  extension CutDisk.Change {
    /// Applies the change to what is on the disk for certain.
    fileprivate func apply(to node: CutDisk.Node) {
      switch self {
      case .mode(let mode): node.mode = mode
      case .write, .truncate: apply(to: &node.bytes)
      case .add, .rename, .remove: apply(to: &node.names)
      }
    }

    /// Applies a change of bytes.
    ///
    /// - Parameter hasSector: Returns true if the disk has written the sector of this number.
    func apply(to file: inout Data, _ hasSector: ((Int) -> Bool)? = nil) {
      switch self {
      case .write(let offset, let bytes):
        var start = offset
        while start < offset + bytes.count {
          let end =
            hasSector == nil ? offset + bytes.count : min((start / Self.sector + 1) * Self.sector, offset + bytes.count)
          if hasSector?(start / Self.sector) ?? true {
            if file.count < end { file.count = end }
            file.replaceSubrange(
              start..<end, with: bytes[(bytes.startIndex + start - offset)..<(bytes.startIndex + end - offset)])
          }
          start = end
        }
      case .truncate(let size): file.count = size
      default: break
      }
    }

    private static let sector = 512

    /// Applies a change of names.
    func apply(to names: inout [String: CutDisk.Node]) {
      switch self {
      case .add(let name, let node): names[name] = node
      case .rename(let name, let newName):
        // The name may have been given on a disk that has not the change before.
        if let node = names.removeValue(forKey: name) { names[newName] = node }
      case .remove(let name): names[name] = nil
      default: break
      }
    }
  }
#endif
