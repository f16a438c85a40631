// The least that the work of Tests/Benchmarks/runtime costs: the same statements and system calls in C.
//
//   runtime-floor FOLDER CALLS         prints the median of each work in microseconds
//   runtime-floor FOLDER first START   prints the microseconds to a first value of the app's database in a folder: from the start of
//                                      main, and from START (CLOCK_MONOTONIC, ns)
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <semaphore.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
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
    "CREATE TABLE IF NOT EXISTS preference (name TEXT NOT NULL PRIMARY KEY, written_at INTEGER NOT NULL, bytes BLOB NOT NULL)",
    0, 0, 0);
  prepare(db,
    "INSERT INTO preference (name, written_at, bytes) VALUES (?, ?, ?)"
    " ON CONFLICT (name) DO UPDATE SET written_at = excluded.written_at, bytes = excluded.bytes", &setter);
  prepare(db, "SELECT bytes FROM preference WHERE name = ?", &getter);
  prepare(db, "BEGIN IMMEDIATE", &beginner);
  prepare(db, "COMMIT", &ender);
  return db;
}

static int itemBytes = 46;

// An app has many preferences, and sets some of them in turn.
enum { stored = 2000, used = 100 };

static void bindName(sqlite3_stmt *statement, int n) {
  char name[32];
  snprintf(name, sizeof name, "key_%d", n % used);
  sqlite3_bind_text(statement, 1, name, -1, SQLITE_TRANSIENT);
}

static void setNamedRow(int n) {
  bytes[0] = (char)n;
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  sqlite3_bind_int64(setter, 2, t.tv_sec * 1000LL + t.tv_nsec / 1000000);
  sqlite3_bind_blob(setter, 3, bytes, itemBytes, SQLITE_STATIC);
  need(sqlite3_step(setter) == SQLITE_DONE, "set");
  sqlite3_reset(setter);
}

static void setRow(int n) {
  bindName(setter, n);
  setNamedRow(n);
}

static void getRow(int n) {
  bindName(getter, n);
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
// may have been deleted or moved, and at the log of the values that a later release has moved.

static int lockFile, gateFile;
static char databasePath[5000], logPath[5000];

static int lockNamed(const char *ending) {
  char path[5100];
  snprintf(path, sizeof path, "%s.%s", databasePath, ending);
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  need(file >= 0, "lock");
  return file;
}

static void guard(const char *name) {
  snprintf(databasePath, sizeof databasePath, "%s/%s", folder, name);
  snprintf(logPath, sizeof logPath, "%s/migrations", folder);
  lockFile = lockNamed("lock");
  gateFile = lockNamed("gate");
}

static void look(void) {
  struct stat lock, file;
  need(fstat(lockFile, &lock) == 0 && stat(databasePath, &file) == 0, "look");
  lstat(logPath, &file);
}

static void setGuardedRow(int n) {
  need(flock(lockFile, LOCK_EX | LOCK_NB) == 0, "lock");
  look();
  setRow(n);
  flock(lockFile, LOCK_UN);
}

// Code of the app runs while the lock is held. So it is taken behind a gate, where other processes queue.
static void updateGuardedRow(int n) {
  need(flock(gateFile, LOCK_EX | LOCK_NB) == 0 && flock(lockFile, LOCK_EX | LOCK_NB) == 0, "lock");
  flock(gateFile, LOCK_UN);
  look();
  updateRow(n);
  flock(lockFile, LOCK_UN);
}

// Work on a thread that may wait for the disk, while the caller's thread is free for other tasks.

static sem_t isGiven, isDone;
static int given;
static void (*work)(int);

static void *workers(void *argument) {
  for (;; sem_post(&isDone)) {
    sem_wait(&isGiven);
    work(given);
  }
  return 0;
}

static void callElsewhere(int n) {
  given = n;
  sem_post(&isGiven);
  sem_wait(&isDone);
}

static void measureElsewhere(const char *name, int count, void (*call)(int)) {
  work = call;
  measure(name, count, callElsewhere);
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

static int openLink(int parent, const char *name, int flags) {
  int file = openat(parent, name, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
  need(file >= 0, name);
  return file;
}

// A set that follows no link, replaces none, and loses nothing beside other processes: one lock for the folder, and one for
// the new file, which shows that its writer has not been killed.
static void setGuardedFile(int n) {
  struct stat status;
  int parent = openLink(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY);
  int lock = openLink(parent, "file.lock", O_RDWR | O_CREAT);
  int file = openLink(parent, "file.new", O_WRONLY | O_CREAT | O_EXCL);
  need(flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &status) == 0 && status.st_nlink > 0, "lock");
  need(write(file, bytes, size) == (ssize_t)size && fsync(file) == 0, "write");
  need(flock(lock, LOCK_EX | LOCK_NB) == 0 && fstat(lock, &status) == 0 && status.st_nlink > 0, "lock");
  need(fstatat(parent, "file", &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode), "look");
  need(renameat(parent, "file.new", parent, "file") == 0, "rename");
  flock(lock, LOCK_UN);
  need(fsync(parent) == 0, "fsync");
  close(file);
  close(lock);
  close(parent);
}

// The same for a sealed value: no other process may replace its key meanwhile, which is looked at.
static void setGuardedSealedFile(int n) {
  int keys = openLink(AT_FDCWD, databasePath, O_RDONLY);
  int lock = lockNamed("keys");
  need(flock(lock, LOCK_SH | LOCK_NB) == 0, "lock");
  getRow(n);
  setGuardedFile(n);
  flock(lock, LOCK_UN);
  close(lock);
  close(keys);
}

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

// A get that follows no link, and waits for no disk: the caller's thread is one of few.
static void getCachedFile(int n) {
  char path[5000];
  snprintf(path, sizeof path, "%s/file", folder);
  struct open_how how = {.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK, .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_CACHED};
  int file = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
  struct stat status;
  need(file >= 0 && fstat(file, &status) == 0, "open");
  struct iovec buffer = {malloc(status.st_size + 1), status.st_size + 1};
  // A file system in memory has no such read. There, the work goes on elsewhere.
  need(preadv2(file, &buffer, 1, 0, RWF_NOWAIT) == status.st_size || errno == EOPNOTSUPP, "read");
  free(buffer.iov_base);
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
    database("standard.db", "NORMAL");
    getRow(0);
    double end = now();
    printf("first value\t%f\nfirst value of the process\t%f\n", end - launch, end - atof(words[3]) / 1e3);
    return 0;
  }
  calls = atoi(words[2]);
  pthread_t worker;
  sem_init(&isGiven, 0, 0);
  sem_init(&isDone, 0, 0);
  pthread_create(&worker, 0, workers, 0);
  sqlite3 *preferences = database("normal.db", "NORMAL");
  sqlite3_exec(preferences, "BEGIN", 0, 0, 0);
  for (int n = 0; n < stored; n++) {
    char name[32];
    snprintf(name, sizeof name, "key_%d", n);
    sqlite3_bind_text(setter, 1, name, -1, SQLITE_TRANSIENT);
    setNamedRow(n);
  }
  sqlite3_exec(preferences, "COMMIT", 0, 0, 0);
  guard("normal.db");
  measure("preference set", calls, setRow);
  measure("guarded preference set", calls, setGuardedRow);
  measureElsewhere("preference set elsewhere", calls, setGuardedRow);
  measure("preference update", calls, updateRow);
  measure("guarded preference update", calls, updateGuardedRow);
  measureElsewhere("preference update elsewhere", calls, updateGuardedRow);
  measure("preference get", calls, getRow);
  database("full.db", "FULL");
  itemBytes = 190;
  guard("full.db");
  for (int n = 0; n < used; n++) setRow(n);
  measure("keystore set", calls / 4, setRow);
  measureElsewhere("keystore set elsewhere", calls / 4, setGuardedRow);
  measure("keystore get", calls, getRow);
  for (int isLarge = 0; isLarge < 2; isLarge++) {
    const char *ending = isLarge ? "1 MiB" : "100 B";
    int count = isLarge ? calls / 4 : calls;
    size = isLarge ? 1 << 20 : 100;
    char name[64];
#define NAMED(words) (snprintf(name, sizeof name, words " %s", ending), name)
    measure(NAMED("file set"), count / 4, setOneFile);
    measureElsewhere(NAMED("file set elsewhere"), count / 4, setGuardedFile);
    measureElsewhere(NAMED("sealed file set elsewhere"), count / 4, setGuardedSealedFile);
    measure(NAMED("file get"), count, getFile);
    measure(NAMED("guarded file get"), count, getCachedFile);
    measureElsewhere(NAMED("file get elsewhere"), count, getCachedFile);
  }
  size = 100;
  double one = perSet(1);
  printf("eight tasks\t%f\n", perSet(8) / one);
  return 0;
}
