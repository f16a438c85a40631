import Foundation
import LocalDataStores
import LocalDataVocabulary
import Testing

@testable import LocalData

/// Archives as NSKeyedArchiver lays them out on Apple's platforms.
struct KeyedArchiveTests {
  private static let date = Date(timeIntervalSinceReferenceDate: 721_692_800)

  private static let text = """
    YnBsaXN0MDDUAQIDBAUGBwpYJHZlcnNpb25ZJGFyY2hpdmVyVCR0b3BYJG9iamVjdHMSAAGGoF8QD05TS2V5ZWRBcmNoaXZlctEI
    CVRyb290gAGiCwxVJG51bGxkAGMAYQBmAOkIERokKTI3SUxRU1ZcAAAAAAAAAQEAAAAAAAAADQAAAAAAAAAAAAAAAAAAAGU=
    """
  private static let integer = """
    YnBsaXN0MDDUAQIDBAUGBwpYJHZlcnNpb25ZJGFyY2hpdmVyVCR0b3BYJG9iamVjdHMSAAGGoF8QD05TS2V5ZWRBcmNoaXZlctEI
    CVRyb290gAGiCwxVJG51bGwT//////////kIERokKTI3SUxRU1ZcAAAAAAAAAQEAAAAAAAAADQAAAAAAAAAAAAAAAAAAAGU=
    """
  private static let number = """
    YnBsaXN0MDDUAQIDBAUGBwpYJHZlcnNpb25ZJGFyY2hpdmVyVCR0b3BYJG9iamVjdHMSAAGGoF8QD05TS2V5ZWRBcmNoaXZlctEI
    CVRyb290gAGiCwxVJG51bGwjP+AAAAAAAAAIERokKTI3SUxRU1ZcAAAAAAAAAQEAAAAAAAAADQAAAAAAAAAAAAAAAAAAAGU=
    """
  private static let flag = """
    YnBsaXN0MDDUAQIDBAUGBwpYJHZlcnNpb25ZJGFyY2hpdmVyVCR0b3BYJG9iamVjdHMSAAGGoF8QD05TS2V5ZWRBcmNoaXZlctEI
    CVRyb290gAGiCwxVJG51bGwJCBEaJCkyN0lMUVNWXAAAAAAAAAEBAAAAAAAAAA0AAAAAAAAAAAAAAAAAAABd
    """
  private static let bytes = """
    YnBsaXN0MDDUAQIDBAUGBwpYJHZlcnNpb25ZJGFyY2hpdmVyVCR0b3BYJG9iamVjdHMSAAGGoF8QD05TS2V5ZWRBcmNoaXZlctEI
    CVRyb290gAGiCwxVJG51bGxCAQIIERokKTI3SUxRU1ZcAAAAAAAAAQEAAAAAAAAADQAAAAAAAAAAAAAAAAAAAF8=
    """
  private static let moment = """
    YnBsaXN0MDDUAQIDBAUGBwpYJHZlcnNpb25ZJGFyY2hpdmVyVCR0b3BYJG9iamVjdHMSAAGGoF8QD05TS2V5ZWRBcmNoaXZlctEI
    CVRyb290gAGjCwwRVSRudWxs0g0ODxBXTlMudGltZVYkY2xhc3MjQcWCFEAAAACAAtISExQVWiRjbGFzc25hbWVYJGNsYXNzZXNW
    TlNEYXRlohQWWE5TT2JqZWN0CBEaJCkyN0lMUVNXXWJqcXp8gYyVnJ8AAAAAAAABAQAAAAAAAAAXAAAAAAAAAAAAAAAAAAAAqA==
    """
  private static let address = """
    YnBsaXN0MDDUAQIDBAUGBwpYJHZlcnNpb25ZJGFyY2hpdmVyVCR0b3BYJG9iamVjdHMSAAGGoF8QD05TS2V5ZWRBcmNoaXZlctEI
    CVRyb290gAGkCwwTFFUkbnVsbNMNDg8QERJXTlMuYmFzZVtOUy5yZWxhdGl2ZVYkY2xhc3OAAIACgANfEBVodHRwczovL2V4YW1w
    bGUuY29tL2HSFRYXGFokY2xhc3NuYW1lWCRjbGFzc2VzVU5TVVJMohcZWE5TT2JqZWN0CBEaJCkyN0lMUVNYXmVteYCChIaeo663
    vcAAAAAAAAABAQAAAAAAAAAaAAAAAAAAAAAAAAAAAAAAyQ==
    """
  private static let identifier = """
    YnBsaXN0MDDUAQIDBAUGBwpYJHZlcnNpb25ZJGFyY2hpdmVyVCR0b3BYJG9iamVjdHMSAAGGoF8QD05TS2V5ZWRBcmNoaXZlctEI
    CVRyb290gAGjCwwRVSRudWxs0g0ODxBcTlMudXVpZGJ5dGVzViRjbGFzc08QEAABAgMEBQYHCAkKCwwNDg+AAtISExQVWiRjbGFz
    c25hbWVYJGNsYXNzZXNWTlNVVUlEohQWWE5TT2JqZWN0CBEaJCkyN0lMUVNXXWJvdomLkJukq64AAAAAAAABAQAAAAAAAAAXAAAA
    AAAAAAAAAAAAAAAAtw==
    """
  private static let list = """
    YnBsaXN0MDDUAQIDBAUGBwpYJHZlcnNpb25ZJGFyY2hpdmVyVCR0b3BYJG9iamVjdHMSAAGGoF8QD05TS2V5ZWRBcmNoaXZlctEI
    CVRyb290gAGlCwwTFBVVJG51bGzSDQ4PElpOUy5vYmplY3RzViRjbGFzc6IQEYACgAOABFFhUWLSFhcYGVokY2xhc3NuYW1lWCRj
    bGFzc2VzV05TQXJyYXmiGBpYTlNPYmplY3QIERokKTI3SUxRU1lfZG92eXt9f4GDiJOcpKcAAAAAAAABAQAAAAAAAAAbAAAAAAAA
    AAAAAAAAAAAAsA==
    """
  private static let map = """
    YnBsaXN0MDDUAQIDBAUGBwpYJHZlcnNpb25ZJGFyY2hpdmVyVCR0b3BYJG9iamVjdHMSAAGGoF8QD05TS2V5ZWRBcmNoaXZlctEI
    CVRyb290gAGmCwwVFhogVSRudWxs0w0ODxASFFdOUy5rZXlzWk5TLm9iamVjdHNWJGNsYXNzoRGAAqETgAOABVNlbmTSFw8YGVdO
    Uy50aW1lI0HFghRAAAAAgATSGxwdHlokY2xhc3NuYW1lWCRjbGFzc2VzVk5TRGF0ZaIdH1hOU09iamVjdNIbHCEiXE5TRGljdGlv
    bmFyeaIhHwgRGiQpMjdJTFFTWmBnb3qBg4WHiYuPlJylp6y3wMfK09jlAAAAAAAAAQEAAAAAAAAAIwAAAAAAAAAAAAAAAAAAAOg=
    """
  private static let mutable = """
    YnBsaXN0MDDUAQIDBAUGBwpYJHZlcnNpb25ZJGFyY2hpdmVyVCR0b3BYJG9iamVjdHMSAAGGoF8QD05TS2V5ZWRBcmNoaXZlctEI
    CVRyb290gAGkCwwSE1UkbnVsbNINDg8RWk5TLm9iamVjdHNWJGNsYXNzoRCAAoADUWHSFBUWF1okY2xhc3NuYW1lWCRjbGFzc2Vz
    Xk5TTXV0YWJsZUFycmF5oxYYGVdOU0FycmF5WE5TT2JqZWN0CBEaJCkyN0lMUVNYXmNudXd5e32CjZalqbEAAAAAAAABAQAAAAAA
    AAAaAAAAAAAAAAAAAAAAAAAAug==
    """
  private static let other = """
    YnBsaXN0MDDUAQIDBAUGBwpYJHZlcnNpb25ZJGFyY2hpdmVyVCR0b3BYJG9iamVjdHMSAAGGoF8QD05TS2V5ZWRBcmNoaXZlctEI
    CVRyb290gAGjCwwPVSRudWxs0Q0OViRjbGFzc4AC0hAREhNaJGNsYXNzbmFtZVgkY2xhc3Nlc1tBcHBTZXR0aW5nc6ISFFhOU09i
    amVjdAgRGiQpMjdJTFFTV11gZ2lueYKOkQAAAAAAAAEBAAAAAAAAABUAAAAAAAAAAAAAAAAAAACa
    """

  private func value(_ archive: String) throws -> Any? {
    let text = archive.filter { !$0.isWhitespace }
    return try KeyedArchive.value(in: try #require(Data(base64Encoded: text)))
  }

  @Test func archivesOfBuiltInTypesAreRead() throws {
    #expect(try value(Self.text) as? String == "caf\u{E9}")
    #expect(try value(Self.integer) as? Int == -7)
    #expect(try value(Self.number) as? Double == 0.5)
    #expect(try value(Self.flag) as? Bool == true)
    #expect(try value(Self.bytes) as? Data == Data([1, 2]))
    #expect(try value(Self.moment) as? Date == Self.date)
    #expect(try value(Self.address) as? URL == URL(string: "https://example.com/a"))
    #expect(
      try value(Self.identifier) as? UUID
        == UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0E0F"))
    #expect(try value(Self.list) as? [String] == ["a", "b"])
    #expect(try value(Self.map) as? [String: Date] == ["end": Self.date])
    #expect(try value(Self.mutable) as? [String] == ["a"])
  }

  @Test func otherClassesAreRefused() throws {
    #expect(throws: (any Error).self) {
      try value(Self.other)
    }
    #expect(throws: (any Error).self) { try KeyedArchive.value(in: Data("no archive".utf8)) }
  }

  @Test func archivesReadBackWhatTheyWrote() throws {
    let map: [String: [Date]] = ["a": [Self.date]]
    #expect(try KeyedArchive.value(in: KeyedArchive.bytes(of: map)) as? [String: [Date]] == map)
    #expect(try KeyedArchive.value(in: KeyedArchive.bytes(of: "text")) as? String == "text")
    #expect(try KeyedArchive.value(in: KeyedArchive.bytes(of: [1, 2])) as? [Int] == [1, 2])
  }

  #if !canImport(Darwin)
    @Test func otherPlatformsSaySo() async throws {
      let key = StorageKey<String?>(
        name: "archived", domain: .userDefaults(), security: .none, serializer: .keyedArchive, owner: "o",
        description: "d")
      let other = StorageKey<String?>(
        name: "other", domain: .userDefaults(), security: .none, owner: "o", description: "d")
      let router = StorageRouter.inMemory()
      let error = StorageError(.notAvailableOnPlatform, .init(key: "archived", domain: .userDefaults))
      await #expect(throws: error) { try await router.get(key) }
      await #expect(throws: error) { try await router.set("a", for: key) }
      try await router.set("a", for: other)
      #expect(try await router.get(other) == "a")
    }
  #endif
}
