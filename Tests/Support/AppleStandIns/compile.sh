# Compiles the package's targets for one platform. Each finding is one line of $WORK/<platform>/findings.

# Notes what is wrong, in one line that also says what to do.
note() { local platform=$1; shift; echo "$platform: $*" >>"$WORK/$platform/findings"; }

# Notes the compiler's errors and warnings of a log once each, with paths in the project. A compiler that ended without
# either is a finding too.
note_log() {
  local platform=$1 module=$2 log=$3 status=$4 found line
  # Lines of source that the compiler quotes begin with a blank or a number.
  found="$(grep -E '^([^ 0-9|].*: )?(error|warning): |^Stack dump' "$log" |
    sed "s,^$project/,," | sort -u)"
  if [ -n "$found" ]; then
    while read -r line; do note "$platform" "$module: $line"; done <<<"$found"
  elif [ "$status" != 0 ]; then note "$platform" "$module: the compiler ended with $status; see $log"; fi
}

# The Swift files of a target, and the one that SwiftPM has made of its resources. Golden output (Cases) is excluded in
# Package.swift as well.
sources_of() {
  find "$project/$1" -name Cases -prune -o -name '*.swift' -print 2>/dev/null | sort
  find "$crypto/${1##*/}.build/DerivedSources" -name embedded_resources.swift 2>/dev/null || true
}

# Compiles one target to an object file, so that the compiler runs all of its checks, and emits its module. Test targets pass
# the same checks of their sources, and get no machine code.
compile() {
  local platform=$1 module=${2//-/_} folder=$3 status=0; shift 3
  local home="$WORK/$platform" flags=() sources=()
  local products=(-c -o "$home/$module.o" -emit-module-path "$home/package/$module.swiftmodule")
  [[ $module != *Tests ]] || products=(-emit-sil -o /dev/null)
  mapfile -t sources < <(sources_of "$folder")
  [ ${#sources[@]} -gt 0 ] || { note "$platform" "$module: $folder has no Swift files; correct its line in targets"; return; }
  # shellcheck disable=SC2207
  flags=($(flags_of "$platform") -module-name "$module" -swift-version 6 -package-name localdata -enable-testing
    -I "$home/package" "${FEATURES[@]}" "$@")
  [[ " ${sources[*]} " == */main.swift\ * ]] || flags+=(-parse-as-library)
  limited swiftc -frontend "${products[@]}" "${sources[@]}" "${flags[@]}" >"$home/$module.log" 2>&1 || status=$?
  note_log "$platform" "$module" "$home/$module.log" "$status"
  # The targets that import one with errors are compiled all the same.
  [ "$status" = 0 ] || limited swiftc -frontend -emit-module -experimental-allow-module-with-compiler-errors \
    -o "$home/package/$module.swiftmodule" "${sources[@]}" "${flags[@]}" >/dev/null 2>&1
  echo "$module" >>"$home/compiled"
}

# Compiles the file that keeps a state in a view with the SwiftUI of Xcode 27, in which @State is a macro.
compile_with_macro() {
  local platform=$1 home="$BUILD/$1/macro" log="$WORK/$1/macro.log" file="$project/Sources/LocalData/Router/Stored.swift" status=0 sources=()
  [ -e "$file" ] || return 0
  mkdir -p "$home"
  mapfile -t sources < <(sources_of Sources/LocalData | grep -vxF "$file")
  # shellcheck disable=SC2046
  limited swiftc -frontend -emit-module -parse-as-library -module-name SwiftUI -D STATE_IS_MACRO \
    "$SDK/overlays/SwiftUI.swift" -o "$home/SwiftUI.swiftmodule" $(flags_of "$platform") -swift-version 5 \
    -suppress-warnings -enable-library-evolution >"$log" 2>&1 &&
    limited swiftc -frontend -typecheck -primary-file "$file" "${sources[@]}" -I "$home" -I "$WORK/$platform/package" \
      $(flags_of "$platform") -module-name LocalData -swift-version 6 -package-name localdata -parse-as-library \
      "${FEATURES[@]}" >>"$log" 2>&1 || status=$?
  note_log "$platform" "LocalData with @State as a macro" "$log" "$status"
}

# Checks that the stand-ins refuse what Apple's SDK refuses: each line of teeth/ that is marked "// expect:" must have
# its finding. A stand-in that accepts everything is found here.
bite() {
  local platform=$1 file="$TEETH/$1.swift" log="$WORK/$1/teeth.log" line text
  grep -q '// expect: ' "$file" 2>/dev/null || {
    note "$platform" "teeth/$platform.swift expects nothing; add a line that must be refused, with '// expect: '"; return; }
  # shellcheck disable=SC2046
  limited swiftc -frontend -emit-sil -o /dev/null -parse-as-library -module-name Teeth "$file" \
    $(flags_of "$platform") -swift-version 6 "${FEATURES[@]}" >"$log" 2>&1
  while IFS=: read -r line text; do
    text="${text##*// expect: }"
    grep -F "$platform.swift:$line:" "$log" | grep -qF -- "$text" ||
      note "$platform" "teeth/$platform.swift:$line: nothing says '$text'; correct the stand-in in sdk/"
  done < <(grep -n '// expect: ' "$file")
}

# Compiles the stand-in SDK, the lines that must be refused, and the package's targets for a platform. The file "done"
# shows that the job came to its end.
compile_platform() {
  local platform=$1 module folder platforms yaml=() sqlite=()
  rm -rf "${WORK:?}/$platform"; mkdir -p "$WORK/$platform/package"
  : >"$WORK/$platform/findings"; : >"$WORK/$platform/compiled"
  { make_standard_library "$platform" && make_sdk "$platform"; } >"$WORK/$platform/sdk.log" 2>&1 || {
    note "$platform" "the stand-in SDK does not compile; see $WORK/$platform/sdk.log"
    touch "$WORK/$platform/done"; return; }
  bite "$platform"
  # The SDK has the header of SQLite.
  mkdir -p "$WORK/sqlite"; ln -sfn /usr/include/sqlite3.h "$WORK/sqlite/sqlite3.h"
  sqlite=(-I "$project/Sources/CLocalDataSQLite" -Xcc "-I$SDK/c-headers" -Xcc "-I$WORK/sqlite")
  if [ "$platform" = macos ]; then
    mkdir -p "$WORK/yaml"; ln -sfn /usr/include/yaml.h "$WORK/yaml/yaml.h"
    yaml=(-I "$project/Sources/CLocalDataYAML" -Xcc "-I$WORK/yaml")
  fi
  while read -r module folder platforms; do
    [[ " $platforms " != *" $platform "* ]] || compile "$platform" "$module" "$folder" "${sqlite[@]}" "${yaml[@]}"
  done < <(grep -v '^#' "$TARGETS")
  [ "$platform" != ios ] || compile_with_macro "$platform"
  [ -s "$WORK/$platform/compiled" ] || note "$platform" "no target is compiled for it; correct the platforms in targets"
  touch "$WORK/$platform/done"
}

# Prints the targets of Package.swift that the table does not list.
unlisted_targets() {
  local name
  tr '\n' ' ' <"$project/Package.swift" | grep -oE '\.(target|executableTarget|testTarget)\( *name: "[^"]+"(, condition)?' |
    grep -v condition | sed 's/.*"\(.*\)"/\1/' | while read -r name; do
      grep -qE "^$name " "$TARGETS" || echo "$name"
    done
}
