#if os(Linux)
  import Foundation

  /// The recorded changes, syncs and marks of all processes of a run, in their order.
  struct CutTrace {
    /// A file or a folder, by its inode.
    typealias Node = UInt64

    enum Entry {
      case create(folder: Node, name: String, node: Node, mode: UInt32)
      case write(node: Node, offset: Int, bytes: Data)
      case truncate(node: Node, size: Int)
      case mode(node: Node, mode: UInt32)
      case sync(node: Node)
      case rename(folder: Node, name: String, newName: String)
      case link(folder: Node, name: String, node: Node)
      case unlink(folder: Node, name: String)
      case mark(String)
    }

    /// The library renames and links no file to another folder, so that the model of the disk has no such change.
    struct OtherFolder: Error {
      var name: String
    }

    struct Damaged: Error {
      var offset: Int
    }

    var entries: [Entry] = []

    init(_ trace: Data) throws {
      let headSize = 48
      var offset = trace.startIndex
      while offset < trace.endIndex {
        guard trace.endIndex - offset >= headSize else { throw Damaged(offset: offset) }
        let head = Head(trace[offset..<offset + headSize])
        let name = offset + headSize
        let newName = name + Int(head.name)
        let data = newName + Int(head.newName)
        let end = data + Int(head.data)
        guard end <= trace.endIndex else { throw Damaged(offset: offset) }
        entries.append(
          try head.entry(
            String(decoding: trace[name..<newName], as: UTF8.self),
            String(decoding: trace[newName..<data], as: UTF8.self), trace[data..<end]))
        offset = end
      }
    }

    /// `struct entry` of `powercut.c`.
    private struct Head {
      let kind, mode: UInt32
      let node, other: UInt64
      let offset: Int64
      let name, newName: UInt32
      let data: UInt64

      init(_ bytes: Data) {
        func number<Number: FixedWidthInteger>(at offset: Int) -> Number {
          bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
        }
        kind = number(at: 0)
        mode = number(at: 4)
        node = number(at: 8)
        other = number(at: 16)
        offset = number(at: 24)
        name = number(at: 32)
        newName = number(at: 36)
        data = number(at: 40)
      }

      func entry(_ name: String, _ newName: String, _ bytes: Data) throws -> Entry {
        switch kind {
        case 1: return .create(folder: node, name: name, node: other, mode: mode)
        case 2: return .write(node: node, offset: Int(offset), bytes: bytes)
        case 3: return .truncate(node: node, size: Int(offset))
        case 4: return .mode(node: node, mode: mode)
        case 5: return .sync(node: node)
        case 6:
          guard node == other else { throw OtherFolder(name: name) }
          return .rename(folder: node, name: name, newName: newName)
        case 7: return .link(folder: node, name: newName, node: other)
        case 8: return .unlink(folder: node, name: name)
        default: return .mark(name)
        }
      }
    }
  }
#endif
