import Foundation
import Testing

/// The record of processing, of catalogs and what the project file adds.
@Suite struct ProcessingTests {
  private static let catalog = """
    localdata: 1
    catalog: Shop
    defaults: {owner: ShopTeam, domain: userDefaults, security: recommended, type: String}
    keys:
      email:
        sensitivity: personal
        privacy: {collected: true, linked: true, dataType: emailAddress, purposes: [appFunctionality, analytics]}
        description: The address of the customer.
      taps:
        retention: {maxAge: 30d}
        privacy: {collected: true, tracking: true, dataType: productInteraction, purposes: [analytics]}
        description: What the customer has tapped.
      note: {sensitivity: health, description: What the customer has written down.}
      theme: {privacy: {collected: false}, sensitivity: personal, description: The colour scheme the user chose.}

    """

  private func record(_ project: String) throws -> Tool.Result {
    let tool = try Tool()
    try tool.write("Catalogs/Shop.yaml", Self.catalog)
    try tool.write("local-data.yaml", "localdata: 1\n" + project)
    return try tool.run("audit", "--format", "processing")
  }

  @Test func eachPurposeIsARow() throws {
    let result = try record(
      """
      processing:
        - {purpose: appFunctionality, basis: contract, subjects: [customers, "=guests"], recipients: [bank]}
        - {purpose: other, basis: legalObligation}

      """)
    #expect(result.code == 0)
    let sealed = "\"recommended, ChaCha20-Poly1305, key derived by HKDF from the master key"
    #expect(
      result.output.split(separator: "\r\n").map(String.init) == [
        "purpose,dataCategories,declarations,subjects,recipients,basis,retention,protection,tracking",
        "analytics,\"emailAddress, productInteraction\",\"email, taps\",not declared,not declared,not declared,"
          + "until removed (email); 30d after the last write (removed when read and by maintenance.sweep()) (taps),"
          + "\(sealed) (email, taps)\",yes",
        "appFunctionality,emailAddress,email,\"customers, =guests\",bank,contract,until removed (email),"
          + "\(sealed) (email)\",no",
        "other,not declared,not declared,not declared,not declared,legalObligation,not declared,not declared,no",
        "not declared,not declared,note,not declared,not declared,not declared,until removed (note),"
          + "\(sealed) (note)\",no",
      ])
  }

  @Test(arguments: [
    ("[{purpose: profit}]", "'profit' is not a purpose"), ("[{basis: consent}]", "needs 'purpose'"),
    ("[{purpose: other, basis: habit}]", "'habit' is not a legal basis"),
    ("[{purpose: other, subjects: customers}]", "a list of categories of people"),
    ("[{purpose: other}, {purpose: other}]", "the purpose 'other' is listed twice"),
    ("{purpose: other}", "a list of purposes is needed here"),
  ])
  func mistakesAreFindings(processing: String, message: String) throws {
    let result = try record("processing: \(processing)\n")
    #expect(result.code == 1)
    #expect(result.errors.contains(message), "\(result.errors)")
  }
}
