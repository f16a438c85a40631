// The least that the work of Tests/Benchmarks/runtime costs: the same statements and system calls in C.
//
//   runtime-floor FOLDER CALLS         prints the median of each work in microseconds
//   runtime-floor FOLDER first START   prints the microseconds to a first value: from the start of main, and from START
//                                      (CLOCK_MONOTONIC, ns)
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char folder[4096];
static char bytes[1 << 20];
static int calls;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static void need(int isRight, const char *what) {
  if (isRight) return;
  perror(what);
  exit(1);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure(const char *name, int count, void (*call)(int)) {
  double *times = malloc(count * sizeof *times);
  for (int n = 0; n < count; n++) {
    double start = now();
    call(n);
    times[n] = now() - start;
  }
  qsort(times, count, sizeof *times, compare);
  printf("%s\t%f\n", name, times[count / 2]);
  free(times);
}

// MARK: SQLite

static sqlite3_stmt *setter, *getter, *beginner, *ender;

static void prepare(sqlite3 *db, const char *sql, sqlite3_stmt **statement) {
  need(sqlite3_prepare_v2(db, sql, -1, statement, 0) == SQLITE_OK, "prepare");
}

static sqlite3 *database(const char *name, const char *synchronous) {
  char path[5000], pragma[64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  snprintf(pragma, sizeof pragma, "PRAGMA synchronous = %s", synchronous);
  sqlite3 *db;
  need(sqlite3_open(path, &db) == SQLITE_OK, "open");
  sqlite3_exec(db, "PRAGMA journal_mode = WAL", 0, 0, 0);
  sqlite3_exec(db, pragma, 0, 0, 0);
  sqlite3_exec(db, "PRAGMA secure_delete = ON", 0, 0, 0);
  sqlite3_exec(db,
    "CREATE TABLE IF NOT EXISTS p (name TEXT NOT NULL PRIMARY KEY, written_at INTEGER NOT NULL, bytes BLOB NOT NULL)",
    0, 0, 0);
  prepare(db,
    "INSERT INTO p (name, written_at, bytes) VALUES (?, ?, ?)"
    " ON CONFLICT (name) DO UPDATE SET written_at = excluded.written_at, bytes = excluded.bytes", &setter);
  prepare(db, "SELECT bytes FROM p WHERE name = ?", &getter);
  prepare(db, "BEGIN IMMEDIATE", &beginner);
  prepare(db, "COMMIT", &ender);
  return db;
}

static int itemBytes = 46;

static void setRow(int n) {
  bytes[0] = (char)n;
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  sqlite3_bind_text(setter, 1, "preference", -1, SQLITE_STATIC);
  sqlite3_bind_int64(setter, 2, t.tv_sec * 1000LL + t.tv_nsec / 1000000);
  sqlite3_bind_blob(setter, 3, bytes, itemBytes, SQLITE_STATIC);
  need(sqlite3_step(setter) == SQLITE_DONE, "set");
  sqlite3_reset(setter);
}

static void getRow(int n) {
  sqlite3_bind_text(getter, 1, "preference", -1, SQLITE_STATIC);
  need(sqlite3_step(getter) == SQLITE_ROW, "get");
  char copy[256];
  memcpy(copy, sqlite3_column_blob(getter, 0), sqlite3_column_bytes(getter, 0));
  sqlite3_reset(getter);
}

static void run(sqlite3_stmt *statement) {
  need(sqlite3_step(statement) == SQLITE_DONE, "run");
  sqlite3_reset(statement);
}

static void updateRow(int n) {
  run(beginner);
  getRow(n);
  setRow(n);
  run(ender);
}

// What keeps a set safe beside other processes: a lock that writers and checkpoints share, and a look at the files, which
// may have been deleted or moved.

static int lockFile;
static char databasePath[5000];

static void guard(const char *name) {
  char path[5100];
  snprintf(databasePath, sizeof databasePath, "%s/%s", folder, name);
  snprintf(path, sizeof path, "%s.lock", databasePath);
  lockFile = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  need(lockFile >= 0, "lock");
}

static void setGuardedRow(int n) {
  struct stat lock, file;
  need(flock(lockFile, LOCK_EX | LOCK_NB) == 0 && fstat(lockFile, &lock) == 0 && stat(databasePath, &file) == 0, "guard");
  setRow(n);
  flock(lockFile, LOCK_UN);
}

// A set on a thread that may wait for the disk, while the caller's thread is free for other tasks.

static sem_t isGiven, isDone;
static int given;

static void *setRows(void *argument) {
  for (;; sem_post(&isDone)) {
    sem_wait(&isGiven);
    setGuardedRow(given);
  }
  return 0;
}

static void setRowElsewhere(int n) {
  given = n;
  sem_post(&isGiven);
  sem_wait(&isDone);
}

// MARK: Files

static size_t size;

static void setFile(const char *name) {
  char path[5000], draft[5100];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  snprintf(draft, sizeof draft, "%s.new", path);
  int file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  need(file >= 0 && write(file, bytes, size) == (ssize_t)size && fsync(file) == 0, "write");
  close(file);
  need(rename(draft, path) == 0, "rename");
  int parent = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  need(fsync(parent) == 0, "fsync");
  close(parent);
}

static void setOneFile(int n) { setFile("file"); }

static void getFile(int n) {
  char path[5000];
  snprintf(path, sizeof path, "%s/file", folder);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  need(file >= 0 && fstat(file, &status) == 0, "open");
  char *buffer = malloc(status.st_size);
  need(read(file, buffer, status.st_size) == status.st_size, "read");
  free(buffer);
  close(file);
}

static void *setOwnFile(void *argument) {
  char name[32];
  snprintf(name, sizeof name, "file%ld", (long)argument);
  for (int n = 0; n < calls / 8; n++) setFile(name);
  return 0;
}

static double perSet(int threads) {
  pthread_t ids[8];
  double start = now();
  for (long n = 0; n < threads; n++) pthread_create(&ids[n], 0, setOwnFile, (void *)n);
  for (int n = 0; n < threads; n++) pthread_join(ids[n], 0);
  return (now() - start) / (threads * (calls / 8));
}

int main(int count, char **words) {
  double launch = now();
  if (count < 3) return 2;
  snprintf(folder, sizeof folder, "%s", words[1]);
  if (!strcmp(words[2], "first")) {
    database("normal.db", "NORMAL");
    getRow(0);
    double end = now();
    printf("first value\t%f\nfirst value of the process\t%f\n", end - launch, end - atof(words[3]) / 1e3);
    return 0;
  }
  calls = atoi(words[2]);
  database("normal.db", "NORMAL");
  guard("normal.db");
  measure("preference set", calls, setRow);
  measure("guarded preference set", calls, setGuardedRow);
  measure("preference update", calls, updateRow);
  measure("preference get", calls, getRow);
  database("full.db", "FULL");
  itemBytes = 190;
  guard("full.db");
  measure("keystore set", calls / 4, setRow);
  pthread_t writer;
  sem_init(&isGiven, 0, 0);
  sem_init(&isDone, 0, 0);
  pthread_create(&writer, 0, setRows, 0);
  measure("keystore set elsewhere", calls / 4, setRowElsewhere);
  measure("keystore get", calls, getRow);
  size = 100;
  measure("file set 100 B", calls / 4, setOneFile);
  measure("file get 100 B", calls, getFile);
  double one = perSet(1);
  printf("eight tasks\t%f\n", perSet(8) / one);
  size = 1 << 20;
  measure("file set 1 MiB", calls / 16, setOneFile);
  measure("file get 1 MiB", calls / 4, getFile);
  return 0;
}
