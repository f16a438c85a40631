import Foundation
import LocalData
import RealAppsFirst

/// The stored things of a browser.
enum PagesThings {
  static func add(to things: inout StoredThings) {
    browsing1(&things)
    browsing2(&things)
    objectsOfTheBrowser(&things)
    accountOfTheBrowser(&things)
    theShareExtension(&things)
    defaultsOfTheRegion(&things)
    tabsAndSitesByName(&things)
    filesOfTheBrowser(&things)
    choicesOfTheBrowser(&things)
    listsWithUnknownElements(&things)
    aNumberThatIsReadAsAFlag(&things)
    archives(&things)
    dictionariesOfTheBrowser(&things)
    containersOfTheBuild(&things)
    unmanaged(&things)
  }

  private static func browsing1(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.homePage, preferences["HomePageURLPref"], "https://home.example/?a=b&c=d#e", "")
    things.add(.engine, preferences["search.engine"], "example.search", "seek.example", as: .first, .second)
    things.add(.tabStyle, preferences["tabTrayStyle"], 0, 2, as: .grid, .bar)
    things.add(.blocksPopups, preferences["blockPopups"], true, false)
    things.add(.suggestsSearches, preferences["search.suggestions"], false, true)
    things.add(.opensLinksInApps, preferences["OpenInApps"], true, false)
    things.add(.pageZoom, preferences["pageZoom"], 1.5, 0.75)
    things.add(.sessionCount, preferences["session_count"], 99, 100)
    things.add(.lastOpened, preferences["LastOpenedDate"], Sample.firstDate, Sample.wholeDate)
    things.add(.tabThumbnail, preferences["lastTabThumbnail"], Data([9]), Data([8, 7]))
    things.add(.topSites, preferences["topSites"], ["a.example", "b.example"], [])
    things.add(.siteZooms, preferences["siteZoomLevels"], ["a.example": 1.25], ["a.example": 2])
    things.add(.visitCounts, preferences["VisitCounts"], ["a.example": 4], ["b.example": 1])
    things.add(.dismissedTips, preferences["DismissedTips"], [1, 4], [2])
  }

  private static func browsing2(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.sitePermissions, preferences["sitePermissions"], ["a.example": true], ["a.example": false])
    things.add(.closedTabs, preferences["ClosedTabs"], [["a", "b"], []], [])
    things.add(.isDefaultBrowser, preferences["isDefaultBrowser"], true, false)
    things.add(.readerFont, preferences["readerFont"], "Serif", "Mono")
  }

  private static func objectsOfTheBrowser(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(
      .openTabs, preferences.json("OpenTabs"), [Page(address: "a", title: "A", isPrivate: false)], [],
      as: [Tab(address: "a", title: "A", isPrivate: false)], [])
    things.add(
      .selectedTab, preferences.json("SelectedTab"), Page(address: "b", title: "B", isPrivate: true),
      Page(address: "c", title: "", isPrivate: false), as: Tab(address: "b", title: "B", isPrivate: true),
      Tab(address: "c", title: "", isPrivate: false))
    things.add(.toolbar, preferences.json("ToolbarButtons"), ["back", "menu"], ["tabs"], as: [.back, .menu], [.tabs])
    things.add(.allowedTrackers, preferences.json("AllowedTrackers"), ["t.example", "u.example"], ["t.example"])
    things.add(.blockedCount, preferences.json("BlockedCount"), ["a.example": 12], [:])
    things.add(.experiments, preferences.json("Experiments"), ["x": "control"], ["x": "treatment"])
  }

  private static func accountOfTheBrowser(_ things: inout StoredThings) {
    let keychain = things.app.keychain("com.example.pages")
    things.add(.syncPassword, keychain["sync.password"], "s1", "s2")
    things.add(.syncKeys, keychain.data("sync.keys"), Data([1, 2, 3, 4]), Data([4]))
    things.add(.sitePasswords, keychain.json("logins"), ["a.example": "p"], [:])
    things.add(.cardNumbers, keychain.json("cards"), ["4111"], [])
  }

  private static func theShareExtension(_ things: inout StoredThings) {
    let group = things.app.preferences("group.com.example.pages")
    things.add(.sharedPage, group["sharedURL"], "https://x.example", "https://y.example")
    things.add(.shareTargets, group["shareTargets"], ["later"], ["later", "device"])
    things.add(.shareProfile, group["profileName"], "work", "home")
  }

  private static func defaultsOfTheRegion(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.region, preferences["search.region"], "BR", "DE")
    things.add(.pageLanguage, preferences["AcceptLanguage"], "pt", "de")
  }

  private static func tabsAndSitesByName(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.tabScroll(tabID: Sample.firstID), preferences["Scroll_\(Sample.firstID.uuidString)"], 120.5, 0)
    things.add(.tabTitle(tabID: Sample.secondID), preferences["\(Sample.secondID.uuidString)/title"], "T", "U")
    things.add(.siteDesktop(host: "WWW.Example.org"), preferences["desktop WWW.Example.org"], true, false)
    things.add(.prefOverride(setting: "tabsTray_newStyle"), preferences["pref.tabsTray_newStyle"], "on", "off")
    things.add(.newsSeen(version: "118.0.1"), preferences["Welcome118.0.1"], true, false)
    things.add(.extensionData(bundle: "org.Example.Ext_1"), preferences["ext[org.Example.Ext_1]"], Data([1]), Data([2]))
  }

  private static func filesOfTheBrowser(_ things: inout StoredThings) {
    let support = things.app.files(.support)
    let documents = things.app.files(.documents)
    let caches = things.app.files(.caches)
    let group = things.app.files(.group("group.com.example.pages"))
    things.add(
      .tabState, support.json("Profile.default/TabsState.json"), [Page(address: "s", title: "S", isPrivate: false)], [],
      as: [Tab(address: "s", title: "S", isPrivate: false)], [])
    things.add(.readingList, documents.propertyList("ReadingList.plist"), ["r1": "A"], ["r2": "B"])
    things.add(.tileCache, caches.json("Tiles/TopTiles.json"), ["t": "u"], [:])
    things.add(.sharedQueue, group.json("Queue.json"), ["q1"], ["q2", "q3"])
  }

  private static func choicesOfTheBrowser(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(
      .privateEngine, preferences["search.privateEngine"], "old.example", "find.example", as: .first, .third,
      rewritten: "example.search")
    things.add(
      .blocking, preferences["tracking.level"], "basic", "STRICT", as: .standard, .strict, rewritten: "STANDARD")
    things.add(
      .privateBlocking, preferences["tracking.privateLevel"], "", "OFF", as: .strict, .off, rewritten: "STRICT")
    things.add(.padTabs, preferences["tabTrayStylePad"], 9, 0, as: .bar, .grid, rewritten: 2)
    things.add(.landscapeTabs, preferences["tabTrayStyleWide"], -1, 2, as: .list, .bar, rewritten: 1)
    things.add(.longPress, preferences["toolbar.longPress"], "preview", "share", as: .menu, .share, rewritten: "menu")
  }

  private static func listsWithUnknownElements(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(
      .padToolbar, preferences["toolbar.pad"], ["back", "voice", "menu"], ["share"], as: [.back, .menu], [.share],
      rewritten: ["back", "menu"])
    things.add(
      .menuOrder, preferences.json("toolbar.menu"), ["tabs", "wallet"], ["tabs", "back"], as: [.tabs], [.tabs, .back],
      rewritten: ["tabs"])
  }

  private static func aNumberThatIsReadAsAFlag(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.usesReader, preferences.integer("ReaderModeDefault"), 1, 0, as: true, false)
  }

  private static func archives(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(.searchHistory, preferences.archivedTexts("SearchHistory"), ["one", "two"], [])
    things.add(.lastSyncArchive, preferences.archivedDate("LastTabSync"), Sample.firstDate, Sample.secondDate)
  }

  private static func dictionariesOfTheBrowser(_ things: inout StoredThings) {
    let preferences = things.app.preferences()
    things.add(
      .windowState, preferences.dictionary("WindowState"),
      AnyDictionary(["saved": Sample.firstDate, "frame": [1.5, 2.5], "image": Data([3])]),
      AnyDictionary(["saved": Sample.secondDate]),
      as: ["saved": .date(Sample.firstDate), "frame": [1.5, 2.5], "image": .data(Data([3]))],
      ["saved": .date(Sample.secondDate)])
  }

  private static func containersOfTheBuild(_ things: inout StoredThings) {
    let profile = things.app.preferences("com.example.beta.pages.profile")
    things.add(.profileTheme, profile["theme"], "dark", "sepia")
    things.add(.profileTabs, profile["tabCount"], 12, 0)
    let share = things.app.files(.group("group.com.example.beta.pages.share"))
    things.add(.shareDraft, share.json("Drafts/Last.json"), ["https://a.example"], [])
  }

  private static func unmanaged(_ things: inout StoredThings) {
    things.keep(
      "history", things.app.files(.support).texts("Profile.default/History.sqlite", table: "visit"),
      ["a.example", "b.example"])
    things.keep("cookies", things.app.files(.library).data("Cookies/Cookies.binarycookies"), Data([1, 2]))
    things.keep("icons", things.app.files(.caches).data("Icons/a.png"), Data([3]))
    things.keep("downloads", things.app.files(.documents).data("Downloads/a.pdf"), Data([4]))
  }
}

/// A tab, as the earlier app encodes it.
private struct Page: Codable, Equatable {
  var address: String
  var title: String
  var isPrivate: Bool
}
