# Compiles what an app for a phone may ship, optimized for size, and prints the bytes of the segment __TEXT of each target:
# code, constants, and the metadata of Swift.

# The keys of two catalogs. What their difference adds is divided by the number of further keys.
FEWER_KEYS=20 MORE_KEYS=220

# Compiles a module for a phone. Prints nothing; what the compiler says is in the log.
compile_small() {
  local module=$1 home="$WORK/iphone"; shift
  # shellcheck disable=SC2046
  limited swiftc -frontend -c -Osize -parse-as-library -module-name "$module" -o "$home/$module.o" \
    -emit-module-path "$home/package/$module.swiftmodule" "$@" $(flags_of iphone) -swift-version 6 -package-name localdata \
    -I "$home/package" -I "$project/Sources/CLocalDataSQLite" -Xcc "-I$SDK/c-headers" -Xcc "-I$WORK/sqlite" \
    "${FEATURES[@]}" >"$home/$module.log" 2>&1 && return
  echo "size: $module does not compile for a phone; see $home/$module.log" >>"$WORK/size.findings"
}

# The targets of the package that run on a phone, in the order of their dependencies: module and folder.
shipped_targets() { grep -E '^[A-Za-z]+ +Sources/.* ios ' "$TARGETS" | grep -v '^Example' | awk '{ print $1, $2 }'; }

# Compiles the shipped targets and two catalogs of many keys, and writes the table to $WORK/size.output.
measure_size() {
  local module folder count sources=() tool=$1
  : >"$WORK/size.findings"
  rm -rf "$WORK/iphone"; mkdir -p "$WORK/iphone/package" "$WORK/sqlite"
  ln -sfn /usr/include/sqlite3.h "$WORK/sqlite/sqlite3.h"
  { make_standard_library iphone && make_sdk iphone; } >"$WORK/iphone/sdk.log" 2>&1 || {
    echo "size: the stand-in SDK does not compile; see $WORK/iphone/sdk.log" >>"$WORK/size.findings"; return; }
  while read -r module folder; do
    mapfile -t sources < <(sources_of "$folder")
    compile_small "$module" "${sources[@]}"
  done < <(shipped_targets)
  for count in $FEWER_KEYS $MORE_KEYS; do
    folder="$WORK/iphone/keys$count"
    { python3 "$project/Tests/Benchmarks/mkcatalog.py" "$count" "$folder" &&
      "$tool" generate "$folder/catalog.yaml" --output "$folder" --swift-only --quiet; } >"$folder.log" 2>&1 ||
      echo "size: the catalog of $count keys is not generated; see $folder.log" >>"$WORK/size.findings"
    compile_small "Keys$count" "$folder/catalog.keys.swift"
  done
  python3 "$KIT/text-size" "$WORK/iphone" $FEWER_KEYS $MORE_KEYS >"$WORK/size.output" 2>>"$WORK/size.findings"
}
