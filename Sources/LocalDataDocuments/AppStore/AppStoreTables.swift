/// The names that Apple and fastlane publish, with the pages that list them. They were compared in November 2026.
///
/// Tests compare the catalog language, everything that the emitters write, and the manifest of this package with them.
package enum AppStoreTables {
  /// A name in a privacy manifest, and what fastlane calls the same thing. fastlane has no name for three types of data.
  package typealias Name = (manifest: String, fastlane: String?)

  package static let sources = [
    "https://developer.apple.com/documentation/bundleresources/describing-data-use-in-privacy-manifests",
    "https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api",
    "https://developer.apple.com/documentation/bundleresources/entitlements/com.apple.security.application-groups",
    "https://developer.apple.com/documentation/security/sharing-access-to-keychain-items-among-a-collection-of-apps",
    "https://docs.fastlane.tools/uploading-app-privacy-details",
    "https://github.com/fastlane/fastlane/blob/master/spaceship/lib/spaceship/connect_api/models/app_data_usage_category.rb",
    "https://github.com/fastlane/fastlane/blob/master/spaceship/lib/spaceship/connect_api/models/app_data_usage_purposes.rb",
    "https://github.com/fastlane/fastlane/blob/master/spaceship/lib/spaceship/connect_api/models/app_data_usage_data_protection.rb",
  ]

  /// The values of `NSPrivacyCollectedDataType`, and fastlane's categories.
  package static let dataTypes: [Name] = [
    ("NSPrivacyCollectedDataTypeName", "NAME"),
    ("NSPrivacyCollectedDataTypeEmailAddress", "EMAIL_ADDRESS"),
    ("NSPrivacyCollectedDataTypePhoneNumber", "PHONE_NUMBER"),
    ("NSPrivacyCollectedDataTypePhysicalAddress", "PHYSICAL_ADDRESS"),
    ("NSPrivacyCollectedDataTypeOtherUserContactInfo", "OTHER_CONTACT_INFO"),
    ("NSPrivacyCollectedDataTypeHealth", "HEALTH"),
    ("NSPrivacyCollectedDataTypeFitness", "FITNESS"),
    ("NSPrivacyCollectedDataTypePaymentInfo", "PAYMENT_INFORMATION"),
    ("NSPrivacyCollectedDataTypeCreditInfo", "CREDIT_AND_FRAUD"),
    ("NSPrivacyCollectedDataTypeOtherFinancialInfo", "OTHER_FINANCIAL_INFO"),
    ("NSPrivacyCollectedDataTypePreciseLocation", "PRECISE_LOCATION"),
    ("NSPrivacyCollectedDataTypeCoarseLocation", "COARSE_LOCATION"),
    ("NSPrivacyCollectedDataTypeSensitiveInfo", "SENSITIVE_INFO"),
    ("NSPrivacyCollectedDataTypeContacts", "CONTACTS"),
    ("NSPrivacyCollectedDataTypeEmailsOrTextMessages", "EMAILS_OR_TEXT_MESSAGES"),
    ("NSPrivacyCollectedDataTypePhotosorVideos", "PHOTOS_OR_VIDEOS"),
    ("NSPrivacyCollectedDataTypeAudioData", "AUDIO"),
    ("NSPrivacyCollectedDataTypeGameplayContent", "GAMEPLAY_CONTENT"),
    ("NSPrivacyCollectedDataTypeCustomerSupport", "CUSTOMER_SUPPORT"),
    ("NSPrivacyCollectedDataTypeOtherUserContent", "OTHER_USER_CONTENT"),
    ("NSPrivacyCollectedDataTypeBrowsingHistory", "BROWSING_HISTORY"),
    ("NSPrivacyCollectedDataTypeSearchHistory", "SEARCH_HISTORY"),
    ("NSPrivacyCollectedDataTypeUserID", "USER_ID"),
    ("NSPrivacyCollectedDataTypeDeviceID", "DEVICE_ID"),
    ("NSPrivacyCollectedDataTypePurchaseHistory", "PURCHASE_HISTORY"),
    ("NSPrivacyCollectedDataTypeProductInteraction", "PRODUCT_INTERACTION"),
    ("NSPrivacyCollectedDataTypeAdvertisingData", "ADVERTISING_DATA"),
    ("NSPrivacyCollectedDataTypeOtherUsageData", "OTHER_USAGE_DATA"),
    ("NSPrivacyCollectedDataTypeCrashData", "CRASH_DATA"),
    ("NSPrivacyCollectedDataTypePerformanceData", "PERFORMANCE_DATA"),
    ("NSPrivacyCollectedDataTypeOtherDiagnosticData", "OTHER_DIAGNOSTIC_DATA"),
    ("NSPrivacyCollectedDataTypeEnvironmentScanning", nil),
    ("NSPrivacyCollectedDataTypeHands", nil),
    ("NSPrivacyCollectedDataTypeHead", nil),
    ("NSPrivacyCollectedDataTypeOtherDataTypes", "OTHER_DATA"),
  ]

  /// The values of `NSPrivacyCollectedDataTypePurposes`, and fastlane's purposes.
  package static let purposes: [Name] = [
    ("NSPrivacyCollectedDataTypePurposeThirdPartyAdvertising", "THIRD_PARTY_ADVERTISING"),
    ("NSPrivacyCollectedDataTypePurposeDeveloperAdvertising", "DEVELOPERS_ADVERTISING"),
    ("NSPrivacyCollectedDataTypePurposeAnalytics", "ANALYTICS"),
    ("NSPrivacyCollectedDataTypePurposeProductPersonalization", "PRODUCT_PERSONALIZATION"),
    ("NSPrivacyCollectedDataTypePurposeAppFunctionality", "APP_FUNCTIONALITY"),
    ("NSPrivacyCollectedDataTypePurposeOther", "OTHER_PURPOSES"),
  ]

  /// The values of `NSPrivacyAccessedAPIType`, each with the codes of its reasons.
  package static let requiredReasons: [(category: String, codes: [String])] = [
    ("NSPrivacyAccessedAPICategoryFileTimestamp", ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"]),
    ("NSPrivacyAccessedAPICategorySystemBootTime", ["35F9.1", "8FFB.1", "3D61.1"]),
    ("NSPrivacyAccessedAPICategoryDiskSpace", ["85F4.1", "E174.1", "7D9E.1", "B728.1"]),
    ("NSPrivacyAccessedAPICategoryActiveKeyboards", ["3EC4.1", "54BD.1"]),
    ("NSPrivacyAccessedAPICategoryUserDefaults", ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"]),
  ]

  /// The data protections of fastlane.
  package enum DataProtection: String, CaseIterable {
    case tracking = "DATA_USED_TO_TRACK_YOU"
    case linked = "DATA_LINKED_TO_YOU"
    case notLinked = "DATA_NOT_LINKED_TO_YOU"
    case notCollected = "DATA_NOT_COLLECTED"
  }

  /// The keys of a privacy manifest.
  package enum ManifestKey: String, CaseIterable {
    case tracking = "NSPrivacyTracking"
    case trackingDomains = "NSPrivacyTrackingDomains"
    case collectedDataTypes = "NSPrivacyCollectedDataTypes"
    case dataType = "NSPrivacyCollectedDataType"
    case isLinked = "NSPrivacyCollectedDataTypeLinked"
    case isTracking = "NSPrivacyCollectedDataTypeTracking"
    case purposes = "NSPrivacyCollectedDataTypePurposes"
    case accessedAPITypes = "NSPrivacyAccessedAPITypes"
    case category = "NSPrivacyAccessedAPIType"
    case reasons = "NSPrivacyAccessedAPITypeReasons"
  }

  /// The entitlements of shared containers.
  package enum Entitlement: String, CaseIterable {
    case appGroups = "com.apple.security.application-groups"
    case accessGroups = "keychain-access-groups"
  }

  /// The variables of Xcode that entitlements use. The first two are the identifier of the team and a dot.
  package enum Variable {
    package static let accessGroupPrefix = "$(AppIdentifierPrefix)"
    package static let appGroupPrefix = "$(TeamIdentifierPrefix)"
    package static let bundleIdentifier = "$(CFBundleIdentifier)"
  }
}
