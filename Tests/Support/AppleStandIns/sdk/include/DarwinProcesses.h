// The part of Darwin that only tests, the tool and the samples use: processes, pipes, users.
#pragma once
#include "Darwin.h"

// Apple declares posix_spawn for macOS and iOS only.
#define NOT_ON_A_WATCH __attribute__((availability(watchos, unavailable)))

typedef void *posix_spawn_file_actions_t;
typedef void *posix_spawnattr_t;
typedef struct __sFILE FILE;

int posix_spawn(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[], char *const[]) NOT_ON_A_WATCH;
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *) NOT_ON_A_WATCH;
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *) NOT_ON_A_WATCH;
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *, int, int) NOT_ON_A_WATCH;
int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *, int, const char *, int, mode_t) NOT_ON_A_WATCH;
int posix_spawnp(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[], char *const[]) NOT_ON_A_WATCH;
char ***_NSGetEnviron(void);
char *getenv(const char *);
int isatty(int);
time_t time(time_t *);
int mkstemp(char *);
ssize_t pread(int, void *, size_t, off_t);
typedef unsigned int sigset_t;
typedef void (*sig_t)(int);
int sigemptyset(sigset_t *);
int sigaddset(sigset_t *, int);
int pthread_sigmask(int, const sigset_t *, sigset_t *);
sig_t signal(int, sig_t);
pid_t waitpid(pid_t, int *, int);
int pipe(int[2]);
unsigned alarm(unsigned);
mode_t umask(mode_t);
uid_t geteuid(void);
int access(const char *, int);
int chown(const char *, uid_t, gid_t);
int mkfifo(const char *, mode_t);
int fflush(FILE *);
char *strdup(const char *);

#define EMFILE 24
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#define F_SETFD 2
#define FD_CLOEXEC 1
#define EPIPE 32
#define SIGINT 2
#define SIGPIPE 13
#define SIGTERM 15
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
