# The self-test: breaks copies on purpose, runs the check on them, and expects it to fail for the right reason.
#
# The cases compile one small target for iOS, with the modules that the check has compiled before. The last ones link
# the runner of iOS with a package in which a fix is undone.

# A folder with the smallest package that the check accepts.
small_package() {
  local to=$1
  rm -rf "$to"; mkdir -p "$to/Sources" "$to/teeth"
  cp -r "$project/Sources/LocalDataVocabulary" "$to/Sources/"
  cp "$TEETH/ios.swift" "$to/teeth/"
  echo 'let package = Package(targets: [.target(name: "LocalDataVocabulary")])' >"$to/Package.swift"
  echo 'LocalDataVocabulary Sources/LocalDataVocabulary ios' >"$to/targets"
}

# Notes a case that the check did not notice.
miss() { echo "self-test, $1"; missed=$((missed + 1)); }

# expects NAME STATUS TEXT FUNCTION: the check ends with a status and prints a text for a package that a function changed.
expects() {
  local name=$1 wanted=$2 text=$3 change=$4 folder="$BUILD/self-test/${1// /-}" output status=0
  cases=$((cases + 1))
  small_package "$folder"
  "$change" "$folder"
  local sdk="$SDK"; [ ! -d "$folder/sdk" ] || sdk="$folder/sdk"
  output="$(KIT_WORK="$folder/work" KIT_SDK="$sdk" KIT_TEETH="$folder/teeth" KIT_TARGETS="$folder/targets" \
    PLATFORMS=ios SYSTEMS="" SIZE="" "$KIT/check" "$folder" "$crypto" 2>&1)" || status=$?
  if [ "$status" != "$wanted" ] || ! grep -qF -- "$text" <<<"$output"; then
    miss "$name: expected status $wanted and '$text', got status $status and: $output"
  fi
}

nothing() { :; }
newer_call() { echo 'func newer() { _ = String(validating: [UInt8](), as: UTF8.self) }' >"$1/Sources/LocalDataVocabulary/Newer.swift"; }
newer_metadata() {
  echo 'struct Failure: Error {}; let steps: [@Sendable () throws(Failure) -> Void] = []' >"$1/Sources/LocalDataVocabulary/Newer.swift"
}
warning() { echo 'func warning() { let value = 1 }' >"$1/Sources/LocalDataVocabulary/Warning.swift"; }
no_sources() { rm -r "$1/Sources/LocalDataVocabulary"; }
no_platform() { sed -i 's/ ios$/ macos/' "$1/targets"; }
unlisted() { echo 'let more = [.target(name: "Forgotten")]' >>"$1/Package.swift"; }
harmless_line() { echo 'let harmless = 1  // expect: an error' >>"$1/teeth/ios.swift"; }
no_teeth() { echo 'let harmless = 1' >"$1/teeth/ios.swift"; }
# The sources of the tool, to which a plugin links, are no part of the copy.
with_plugins() { cp -rL "${PLUGIN_NAMES[@]/#/$project/Sources/}" "$1/Sources/"; }
wrong_name() { with_plugins "$1"; sed -i 's/target\.displayName/target.name/' "$1/Sources/LocalDataBuildPlugin/"*.swift; }
wrong_protocol() { with_plugins "$1"; sed -i 's/LocalDataGenerate: XcodeCommandPlugin/LocalDataGenerate/' "$1/Sources/LocalDataGenerate/"*.swift; }
wrong_folder() { with_plugins "$1"; sed -i 's/\[target.displayName, "Catalogs"\]/["Catalogs"]/' "$1/Sources/LocalDataBuildPlugin/"*.swift; }
empty_sdk() { cp -r "$SDK" "$1/sdk"; : >"$1/sdk/overlays/Foundation.swift"; }

# undone NAME FILE EXPRESSION: the runner holds fewer checks if a sed expression undoes a fix in a file of the runtime.
undone() {
  cases=$((cases + 1))
  local name="undone fix of $1" file=$2 expression=$3 from="$BUILD/linux-ios" to="$BUILD/self-test/undone-${1// /-}"
  [ -n "$(held_in "$from.output" 2>/dev/null)" ] || { miss "$name: run the check with SYSTEMS=ios first"; return; }
  rm -rf "$to"; mkdir -p "$to"
  cp -r "$from/sources" "$to/sources"
  cp "$from/"*.o "$to/"
  sed -i -E "$expression" "$to/sources/$file"
  ! cmp -s "$from/sources/$file" "$to/sources/$file" || { miss "$name: nothing in $file matches; adapt self-test.sh"; return; }
  { make_rewritten ios "${file%%/*}" "$to/sources" "$to" && link_runner ios "$to"; } >"$to/log" 2>&1 ||
    { miss "$name: the changed package does not compile; see $to/log"; return; }
  ! run_runner "$to/runner" "$to/output" || { miss "$name: the runner did not notice it; add a check to linux/runner"; return; }
  local held; held="$(held_in "$to/output")"
  [ "${held:-0}" -lt "$(held_in "$from.output")" ] || miss "$name: as many checks hold as before ($held)"
}

# Runs all cases; fails if the check did not notice one.
self_test() {
  local missed=0 cases=0
  expects "unchanged package" 0 "compiled 1 targets for ios" nothing
  expects "a call that needs iOS 18" 1 "Newer.swift:1:20: error: 'init(validating:as:)' is only available in iOS 18.0" newer_call
  expects "a stored typed throws" 1 "runtime support for typed throws function types is only available in iOS 18.0" newer_metadata
  expects "a warning" 1 "Warning.swift:1:22: warning:" warning
  expects "no sources" 1 "Sources/LocalDataVocabulary has no Swift files" no_sources
  expects "no platform" 1 "no target is compiled for it" no_platform
  expects "an unlisted target" 1 "'Forgotten' is not checked" unlisted
  expects "a harmless line" 1 "nothing says 'an error'" harmless_line
  expects "no refused lines" 1 "teeth/ios.swift expects nothing" no_teeth
  expects "the plugins" 0 "8 of plugins; 0 failed" with_plugins
  expects "a name that a target of Xcode lacks" 1 "value of type 'XcodeTarget' has no member 'name'" wrong_name
  expects "a folder of a target that is not searched" 1 "plugins: the build plugin takes the catalogs in the folder" wrong_folder
  expects "a plugin without Xcode's protocol" 1 "does not conform to 'XcodeCommandPlugin'" wrong_protocol
  expects "an empty stand-in" 1 "the stand-in SDK does not compile" empty_sdk
  # Queries without an access group, and absence that is believed before the first unlock.
  undone "access groups" LocalDataStores/Keychain/KeychainQuery+Security.swift '/^ *kSecAttrAccessGroup as String: .*,$/d'
  undone "first unlock" LocalDataStores/Preferences/SuiteLoadCheck.swift 's/catch \{ throw error == .*\}/catch { return }/'
  echo "self-test: $missed of $cases cases were not noticed"
  [ "$missed" = 0 ]
}
