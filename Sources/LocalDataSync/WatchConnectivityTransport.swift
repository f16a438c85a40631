#if os(iOS) || os(watchOS)
  #if canImport(WatchConnectivity)
    public import LocalDataFoundation
    import WatchConnectivity

    /// A transport that uses the application context of the app's `WCSession`. The library changes one entry of the context,
    /// and keeps the entries of the app.
    public struct WatchConnectivityTransport: SyncTransport {
      /// Creates a transport for `WCSession.default`.
      public init() {}

      /// The current state of `WCSession.default`.
      public var session: SyncSession {
        guard WCSession.isSupported() else {
          return SyncSession(isActivated: false, isPaired: false, isInstalled: false)
        }
        let session = WCSession.default
        let isActivated = session.activationState == .activated
        #if os(watchOS)
          return SyncSession(
            isActivated: isActivated, isPaired: true, isInstalled: session.isCompanionAppInstalled)
        #else
          return SyncSession(
            isActivated: isActivated, isPaired: session.isPaired, isInstalled: session.isWatchAppInstalled)
        #endif
      }

      /// Returns the library's entry of the current application context.
      public func payload() -> Data? {
        WCSession.default.applicationContext[StorageSync.contextKey] as? Data
      }

      /// Puts the library's entry into the application context.
      ///
      /// - Throws: The error of `updateApplicationContext`.
      public func put(_ payload: Data) throws {
        var context = WCSession.default.applicationContext
        context[StorageSync.contextKey] = payload
        try WCSession.default.updateApplicationContext(context)
      }
    }
  #endif
#endif
