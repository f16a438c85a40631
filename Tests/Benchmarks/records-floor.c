// The least that the work of Tests/Benchmarks/records costs: the same statements in C.
//
// As LocalData does, SQLite moves the log into the database with a commit after which it has 1,000 pages. 10,000 rows need about
// 900, so the reads of all programs look for their pages in the log. The work runs on a second thread, as in the other programs,
// because malloc gives it memory in smaller pieces.
//
//   records-floor FOLDER COUNT    prints the CPU time of each work in milliseconds
#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COLUMNS "\"id\", \"rp\", \"accountIndex\", \"createdAt\", \"credentialID\", \"logoURL\", \"rpName\", \"privacyPolicyURL\""

typedef struct {
  unsigned char id[16];
  char *rp;
  int64_t accountIndex;
  double createdAt;
  char *credentialID, *logoURL, *rpName, *privacyPolicyURL;
} history;

static sqlite3 *db;
static history *rows;
static int count;
static int64_t bytes;

static void check(int code) {
  if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
  fprintf(stderr, "%s\n", sqlite3_errmsg(db));
  exit(1);
}

static void run(const char *sql) { check(sqlite3_exec(db, sql, 0, 0, 0)); }

static sqlite3_stmt *prepared(const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, 0));
  return statement;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static uint64_t state = 42;

static uint64_t next(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 11;
}

static char *text(const char *format, long number) {
  char buffer[200];
  snprintf(buffer, sizeof buffer, format, number);
  return strdup(buffer);
}

static void make(history *row, int i) {
  for (int byte = 0; byte < 16; byte++) row->id[byte] = next() & 0xff;
  row->rp = text("https://verifier-%ld.example.com/oidc/callback", (long)(next() % 100));
  row->accountIndex = i % 5;
  row->createdAt = 780000000 + i * 61.25;
  row->credentialID = text("urn:uuid:6f1a7a9c-3b1e-4e0b-9c53-%012ld", (long)i);
  row->logoURL = i % 3 ? text("https://verifier.example.com/assets/logo-%ld.png", i % 97) : 0;
  row->rpName = text("Verifier number %ld", i % 100);
  row->privacyPolicyURL = i % 2 ? 0 : text("https://verifier.example.com/privacy/policy.html", 0);
}

static void bindText(sqlite3_stmt *statement, int index, const char *text) {
  if (text) sqlite3_bind_text(statement, index, text, (int)strlen(text), SQLITE_STATIC);
  else sqlite3_bind_null(statement, index);
}

static void insert(void) {
  sqlite3_stmt *s = prepared("INSERT INTO \"History\" (" COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  run("BEGIN IMMEDIATE");
  for (int i = 0; i < count; i++) {
    const history *row = rows + i;
    sqlite3_bind_blob(s, 1, row->id, 16, SQLITE_STATIC);
    bindText(s, 2, row->rp);
    sqlite3_bind_int64(s, 3, row->accountIndex);
    sqlite3_bind_double(s, 4, row->createdAt);
    bindText(s, 5, row->credentialID);
    bindText(s, 6, row->logoURL);
    bindText(s, 7, row->rpName);
    bindText(s, 8, row->privacyPolicyURL);
    check(sqlite3_step(s));
    sqlite3_reset(s);
  }
  run("COMMIT");
  sqlite3_finalize(s);
}

static char *copied(sqlite3_stmt *s, int column) {
  const unsigned char *start = sqlite3_column_text(s, column);
  if (!start) return 0;
  int length = sqlite3_column_bytes(s, column);
  char *copy = malloc(length + 1);
  memcpy(copy, start, length + 1);
  bytes += length;
  return copy;
}

static history taken(sqlite3_stmt *s) {
  history row;
  const void *id = sqlite3_column_blob(s, 0);
  if (sqlite3_column_bytes(s, 0) != 16) exit(1);
  memcpy(row.id, id, 16);
  row.rp = copied(s, 1);
  row.accountIndex = sqlite3_column_int64(s, 2);
  row.createdAt = sqlite3_column_double(s, 3);
  row.credentialID = copied(s, 4);
  row.logoURL = copied(s, 5);
  row.rpName = copied(s, 6);
  row.privacyPolicyURL = copied(s, 7);
  return row;
}

static void drop(history *row) {
  free(row->rp);
  free(row->credentialID);
  free(row->logoURL);
  free(row->rpName);
  free(row->privacyPolicyURL);
}

static void collect(sqlite3_stmt *s) {
  size_t room = 64, length = 0;
  history *all = malloc(room * sizeof *all);
  int code;
  while ((code = sqlite3_step(s)) == SQLITE_ROW) {
    if (length == room) all = realloc(all, (room *= 2) * sizeof *all);
    all[length++] = taken(s);
  }
  check(code);
  sqlite3_reset(s);
  for (size_t i = 0; i < length; i++) drop(all + i);
  free(all);
}

static void fetchEach(void) {
  sqlite3_stmt *s = prepared("SELECT " COLUMNS " FROM \"History\" WHERE \"id\" = ?");
  for (int i = 0; i < count; i++) {
    sqlite3_bind_blob(s, 1, rows[(int64_t)i * 7919 % count].id, 16, SQLITE_STATIC);
    if (sqlite3_step(s) != SQLITE_ROW) exit(1);
    history row = taken(s);
    drop(&row);
    sqlite3_reset(s);
  }
  sqlite3_finalize(s);
}

static void fetchByKey(void) {
  run("BEGIN");
  fetchEach();
  run("COMMIT");
}

static void query(void) {
  sqlite3_stmt *s = prepared("SELECT " COLUMNS " FROM \"History\" WHERE \"rp\" = ? ORDER BY \"createdAt\" DESC LIMIT 20");
  run("BEGIN");
  for (int i = 0; i < 1000; i++) {
    char *rp = text("https://verifier-%ld.example.com/oidc/callback", i % 100);
    bindText(s, 1, rp);
    collect(s);
    free(rp);
  }
  run("COMMIT");
  sqlite3_finalize(s);
}

static void fetchAll(void) {
  sqlite3_stmt *s = prepared("SELECT " COLUMNS " FROM \"History\"");
  run("BEGIN");
  collect(s);
  run("COMMIT");
  sqlite3_finalize(s);
}

static void measure(const char *name, void (*work)(void)) {
  double start = now();
  work();
  printf("%s\t%f\n", name, now() - start);
}

static void *works(void *unused) {
  measure("insert", insert);
  measure("fetch by key", fetchByKey);
  measure("indexed query", query);
  measure("fetchAll", fetchAll);
  // Each fetch takes and releases the locks of a reader.
  measure("fetch alone", fetchEach);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 3) return 1;
  char path[4096];
  snprintf(path, sizeof path, "%s/history.db", argv[1]);
  count = atoi(argv[2]);
  rows = calloc(count, sizeof *rows);
  for (int i = 0; i < count; i++) make(rows + i, i);
  check(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, 0));
  // A file of records gives free pages back, so each new page has an entry in a map.
  run("PRAGMA auto_vacuum = INCREMENTAL");
  run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY");
  run("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON");
  run("PRAGMA cache_size = -2000");
  run("CREATE TABLE \"History\" (\"id\" BLOB NOT NULL PRIMARY KEY, \"rp\" TEXT, \"accountIndex\" INTEGER, \"createdAt\" REAL, "
      "\"credentialID\" TEXT, \"logoURL\" TEXT, \"rpName\" TEXT, \"privacyPolicyURL\" TEXT) STRICT");
  run("CREATE INDEX \"History.rp.createdAt\" ON \"History\" (\"rp\", \"createdAt\")");
  run("CREATE INDEX \"History.credentialID\" ON \"History\" (\"credentialID\")");
  pthread_t thread;
  if (pthread_create(&thread, 0, works, 0)) return 1;
  pthread_join(thread, 0);
  return bytes == 0;
}
