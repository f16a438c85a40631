import LocalDataModel

/// The arguments of a call. They are written on one line if they fit, and otherwise on one line each.
struct ArgumentList: ~Copyable {
  private var arguments = OutputBuffer()
  private var ends: [Int] = []

  mutating func removeAll() {
    arguments.removeAll()
    ends.removeAll(keepingCapacity: true)
  }

  mutating func add(_ write: (inout OutputBuffer) -> Void) {
    write(&arguments)
    ends.append(arguments.count)
  }

  /// Writes `callee(…)` at `indent`, without an end of line. If the call opens a block and its arguments do not fit on one
  /// line, the closing parenthesis is on a separate line.
  func write(to output: inout OutputBuffer, callee: StaticString, indent: Int, opensBlock: Bool = false) {
    output.writeIndent(indent)
    output.write(callee)
    output.write("(")
    let oneLine = 2 * indent + callee.utf8CodeUnitCount + arguments.count + 2 * ends.count
    let isOneLine = oneLine <= OutputBuffer.width
    var start = 0
    for (index, end) in ends.enumerated() {
      if isOneLine {
        if index > 0 { output.write(", ") }
      } else {
        output.write(index > 0 ? ",\n" : "\n")
        output.writeIndent(indent + 1)
      }
      output.write(start..<end, of: arguments)
      start = end
    }
    if opensBlock, !isOneLine {
      output.write("\n")
      output.writeIndent(indent)
    }
    output.write(opensBlock ? ") {\n" : ")")
  }
}

extension OutputBuffer {
  /// Writes the head of a memberwise initializer.
  mutating func writeInitializer(_ arguments: borrowing ArgumentList, _ access: AccessLevel) {
    switch access {
    case .public: arguments.write(to: &self, callee: "public init", indent: 1, opensBlock: true)
    case .package: arguments.write(to: &self, callee: "package init", indent: 1, opensBlock: true)
    case .internal: arguments.write(to: &self, callee: "init", indent: 1, opensBlock: true)
    }
  }
}
