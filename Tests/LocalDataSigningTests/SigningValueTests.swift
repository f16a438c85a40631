import LocalDataFoundation
import LocalDataSystem
import Testing

@testable import LocalDataSigning

/// The bytes of pairs.
@Suite struct SigningValueTests {
  private static let pair = SoftwareKey()

  /// A value of each form.
  private static let values = [
    SigningValue(.enclave, at: time, publicKey: pair.publicKey, privatePart: Data(repeating: 9, count: 284)),
    SigningValue(.software, at: time, publicKey: pair.publicKey, privatePart: pair.secret),
    SigningValue(.software, at: time, publicKey: pair.publicKey, privatePart: Data()),
    SigningValue(.existing, at: time, publicKey: pair.publicKey, privatePart: Data(repeating: 7, count: 20)),
  ]
  private static let time = Date(timeIntervalSince1970: 1_764_000_000.9)

  @Test(arguments: values) func readsWhatItWrites(_ value: SigningValue) throws {
    #expect(try SigningValue(value.bytes) == value)
    #expect(value.creation == 1_764_000_000)
  }

  @Test func everyKindIsTested() { #expect(Set(Self.values.map(\.kind)) == Set(SigningValue.Kind.allCases)) }

  @Test func layoutIsFixed() {
    let bytes = Self.values[1].bytes
    #expect(bytes.prefix(15) == Data("LDSK".utf8) + [1, 2, 1, 0, 0, 0, 0, 0x69, 0x24, 0x81, 0x00])
    #expect(bytes[15..<80] == Self.pair.publicKey)
    #expect(bytes.suffix(32) == Self.pair.secret)
  }

  /// A changed byte is refused, or is part of the kind, the creation or the private part, and then the value differs.
  @Test(arguments: values) func noChangedByteIsReadAsTheSame(_ value: SigningValue) throws {
    for position in value.bytes.indices {
      // To look for a point on the curve takes longer than to read the rest.
      let isPoint = (15..<80).contains(position)
      for difference in isPoint ? [1, 128] : Array(1...UInt8.max) {
        var changed = value.bytes
        changed[position] ^= difference
        let read = read(changed)
        #expect(read != .success(value))
        if position < 4 || isPoint { #expect(read == .failure(.corrupted)) }
        if position == 4 || position == 6 { #expect(read == .failure(.unknownFormatVersion)) }
      }
    }
  }

  @Test(arguments: values) func everyCutIsRefusedOrWithoutTheSecret(_ value: SigningValue) throws {
    let bytes = value.bytes
    for count in 0..<bytes.count {
      switch read(bytes.prefix(count)) {
      case .failure(let fault): #expect(fault == .corrupted)
      case .success(let cut):
        // The length of an enclave's bytes is not known. They are refused by the enclave.
        #expect(cut.privatePart.count < value.privatePart.count)
        #expect(value.kind != .software || cut.privatePart.isEmpty)
      }
    }
  }

  private func read(_ bytes: Data) -> Result<SigningValue, StorageProblem> {
    do throws(StorageProblem) { return .success(try SigningValue(bytes)) } catch { return .failure(error) }
  }
}
