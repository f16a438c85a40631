import LocalData
import RealAppsSecond

/// The keys of a browser in its second release, in the order of the stored things.
extension LaterKeys {
  mutating func addPages() {
    add(.homePage, .engine, .tabStyle, .blocksPopups, .suggestsSearches, .opensLinksInApps)
    add(.pageZoom, .sessionCount, .lastOpened, .tabThumbnail, .topSites, .siteZooms)
    add(.visitCounts, .dismissedTips, .sitePermissions, .closedTabs, .isDefaultBrowser, .readerFont)
    add(.openTabs, .selectedTab, .toolbar, .allowedTrackers, .blockedCount, .experiments)
    add(.syncPassword, .syncKeys, .sitePasswords, .cardNumbers)
    add(.sharedPage, .shareTargets, .shareProfile)
    add(.region, .pageLanguage)
    add(
      .tabScroll(tabID: Sample.firstID), .tabTitle(tabID: Sample.secondID), .siteDesktop(host: "WWW.Example.org"),
      .prefOverride(setting: "tabsTray_newStyle"), .newsSeen(version: "118.0.1"),
      .extensionData(bundle: "org.Example.Ext_1"))
    add(.tabState, .readingList, .tileCache, .sharedQueue)
    add(.privateEngine, .blocking, .privateBlocking, .padTabs, .landscapeTabs, .longPress)
    add(.padToolbar, .menuOrder)
    add(.usesReader)
    add(.searchHistory, .lastSyncArchive)
    add(.windowState)
    add(.profileTheme, .profileTabs, .shareDraft)
  }
}
