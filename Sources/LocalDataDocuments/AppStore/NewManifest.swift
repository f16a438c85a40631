/// The privacy manifest of an app that has none, before the declared entries are added.
package enum NewManifest {
  package static let text = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>NSPrivacyTracking</key>
    \t<false/>
    </dict>
    </plist>

    """
}
