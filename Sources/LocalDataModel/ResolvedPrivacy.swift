/// The meaning of a key for the app's privacy manifest.
package struct ResolvedPrivacy: Sendable, Hashable {
  /// A Boolean value that indicates whether the value leaves the device for the developer or others; the rest says
  /// nothing where it does not.
  package var isCollected: Bool
  /// A Boolean value that indicates whether it is linked to the user's identity.
  package var isLinked: Bool
  /// A Boolean value that indicates whether it is used to track the user.
  package var isTracking: Bool
  package var dataType: DataType?
  package var purposes: [Purpose]

  package init(
    isCollected: Bool, isLinked: Bool = false, isTracking: Bool = false, dataType: DataType? = nil,
    purposes: [Purpose] = []
  ) {
    self.isCollected = isCollected
    self.isLinked = isLinked
    self.isTracking = isTracking
    self.dataType = dataType
    self.purposes = purposes
  }

  /// Kinds of data that Apple's privacy manifests know, named without their prefix and in lower camel case.
  package enum DataType: String, Sendable, Hashable, CaseIterable {
    case name, emailAddress, phoneNumber, physicalAddress, otherUserContactInfo
    case health, fitness
    case paymentInfo, creditInfo, otherFinancialInfo
    case preciseLocation, coarseLocation
    case sensitiveInfo
    case contacts
    case emailsOrTextMessages, photosOrVideos, audioData, gameplayContent, customerSupport, otherUserContent
    case browsingHistory
    case searchHistory
    case userID, deviceID
    case purchaseHistory
    case productInteraction, advertisingData, otherUsageData
    case crashData, performanceData, otherDiagnosticData
    case environmentScanning, hands, head
    case otherDataTypes

    /// The value in a privacy manifest.
    package var manifestName: String {
      switch self {
      case .photosOrVideos: "NSPrivacyCollectedDataTypePhotosorVideos"
      default: "NSPrivacyCollectedDataType" + rawValue.prefix(1).uppercased() + rawValue.dropFirst()
      }
    }
  }

  /// Reasons to collect data that Apple's privacy manifests know.
  package enum Purpose: String, Sendable, Hashable, CaseIterable {
    case thirdPartyAdvertising, developerAdvertising, analytics, productPersonalization, appFunctionality, other

    /// The value in a privacy manifest.
    package var manifestName: String {
      "NSPrivacyCollectedDataTypePurpose" + rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }
  }
}
