/// The arguments of a call, on one line where they fit, else one a line.
struct ArgumentList {
  private var arguments = OutputBuffer()
  private var ends: [Int] = []
  private var hasComment = false

  mutating func removeAll() {
    arguments.removeAll()
    ends.removeAll(keepingCapacity: true)
    hasComment = false
  }

  mutating func add(_ write: (inout OutputBuffer) -> Void) {
    write(&arguments)
    ends.append(arguments.count)
  }

  /// Adds an argument below a comment: every one stands on a line of its own then.
  mutating func add(
    indent: Int, comment: (inout OutputBuffer) -> Void, _ write: (inout OutputBuffer) -> Void
  ) {
    hasComment = true
    comment(&arguments)
    arguments.writeIndent(indent + 1)
    add(write)
  }

  /// Writes `callee(…)` at `indent`, without an end of line. What opens a block closes its list on a line of its own.
  func write(to output: inout OutputBuffer, callee: StaticString, indent: Int, opensBlock: Bool = false) {
    output.writeIndent(indent)
    output.write(callee)
    output.write("(")
    let oneLine = 2 * indent + callee.utf8CodeUnitCount + arguments.count + 2 * ends.count
    let isOneLine = oneLine <= OutputBuffer.width && !hasComment
    var start = 0
    for (index, end) in ends.enumerated() {
      if isOneLine {
        if index > 0 { output.write(", ") }
      } else {
        output.write(index > 0 ? ",\n" : "\n")
        output.writeIndent(indent + 1)
      }
      output.write(arguments.bytes[start..<end])
      start = end
    }
    if opensBlock, !isOneLine {
      output.write("\n")
      output.writeIndent(indent)
    }
    output.write(opensBlock ? ") {\n" : ")")
  }
}
