// Faults by call, for programs that load this library before libc (LD_PRELOAD). Calls on files below a folder are counted
// over all threads of a process; one of them fails, or the process ends there as a machine that loses its power.
//   FAULTS_FOLDER   absolute; only files below it count
//   FAULTS_PROCESS  part of the command line of the processes that count; others run as they are
//   FAULTS_CALLS    names of the calls that count, separated by commas: write, sync, rename, truncate, create, unlink, malloc
//                   (of memory of largeBytes or more, wherever it is used)
//   FAULTS_AT       number of the call, from 1; 0: none, calls are only counted
//   FAULTS_HOW      a name of an error (ENOSPC, EIO, EINTR, EDQUOT, ENOMEM), 'short' (half of a write is written), 'kill' (the
//                   process ends before the call), or 'power' (as kill, and what was not synced is lost)
//   FAULTS_REPORT   a file: each call that counts (FAULTS_AT 0), or the one that failed, adds a line 'NAME OBJECT', OBJECT its
//                   path from the folder on, or its size
// 'power' restores each file that was written since its last sync to what it held then, and takes back renames, creations
// and removals since the last sync of their folder. Why this order and no other: it is the worst that POSIX allows.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// ---- which calls count

static char folder[PATH_MAX];
static char calls[256];
static char how[32];
static char report[PATH_MAX / 2];
static long at;
static long counted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int isMeant(void) {
  const char* part = getenv("FAULTS_PROCESS");
  char line[8192];
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY, 0);
  const ssize_t length = fd < 0 ? 0 : syscall(SYS_read, fd, line, sizeof line);
  if (fd >= 0) syscall(SYS_close, fd);
  return part != NULL && length > 0 && memmem(line, (size_t)length, part, strlen(part)) != NULL;
}

static void copyVariable(const char* name, char* to, size_t size) {
  const char* value = getenv(name);
  snprintf(to, size, "%s", value == NULL ? "" : value);
}

__attribute__((constructor)) static void start(void) {
  if (!isMeant()) return;
  copyVariable("FAULTS_FOLDER", folder, sizeof folder);
  copyVariable("FAULTS_CALLS", calls, sizeof calls);
  copyVariable("FAULTS_HOW", how, sizeof how);
  copyVariable("FAULTS_REPORT", report, sizeof report);
  const char* number = getenv("FAULTS_AT");
  at = number == NULL ? 0 : atol(number);
}

static int isListed(const char* call) {
  const size_t length = strlen(call);
  for (const char* word = calls; (word = strstr(word, call)) != NULL; word += length) {
    const int isStart = word == calls || word[-1] == ',';
    if (isStart && (word[length] == ',' || word[length] == '\0')) return 1;
  }
  return 0;
}

static int isBelow(const char* path) {
  const size_t length = strlen(folder);
  return length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/';
}

static int pathOfFd(int fd, char* path) {
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(name, path, PATH_MAX - 1);
  if (length <= 0) return 0;
  path[length] = '\0';
  // A removed file has ' (deleted)' after its name: nothing of it survives.
  return isBelow(path) && strstr(path, " (deleted)") == NULL;
}

static void absolute(const char* path, char* to) {
  char whole[PATH_MAX];
  if (path[0] == '/') {
    snprintf(whole, sizeof whole, "%s", path);
  } else if (getcwd(whole, sizeof whole) != NULL) {
    strncat(whole, "/", sizeof whole - strlen(whole) - 1);
    strncat(whole, path, sizeof whole - strlen(whole) - 1);
  }
  snprintf(to, PATH_MAX, "%s", whole);
}

static void note(const char* call, const char* object) {
  char line[PATH_MAX + 64];
  const int length = snprintf(line, sizeof line, "%s %s\n", call, object);
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (fd < 0) return;
  syscall(SYS_write, fd, line, (size_t)length);
  syscall(SYS_close, fd);
}

// ---- what a loss of power takes back

struct Kept {          // a file as it was when it was last synced
  char path[PATH_MAX];  // its name now
  char copy[PATH_MAX];
  int isThere;          // 0: it did not exist
  struct Kept* next;
};
struct Moved {  // the last one first
  char from[PATH_MAX];
  char to[PATH_MAX];
  char replaced[PATH_MAX];  // copy of what was at `to`; '': nothing
  struct Moved* next;
};
static struct Kept* keptFiles;
static struct Moved* movedFiles;
static int copies;

static int isPower(void) { return strcmp(how, "power") == 0; }

static int copyFile(const char* from, const char* to) {
  const int in = (int)syscall(SYS_openat, AT_FDCWD, from, O_RDONLY, 0);
  if (in < 0) return 0;
  const int out = (int)syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  char bytes[65536];
  ssize_t length = 0;
  while (out >= 0 && (length = syscall(SYS_read, in, bytes, sizeof bytes)) > 0)
    syscall(SYS_write, out, bytes, (size_t)length);
  syscall(SYS_close, in);
  if (out >= 0) syscall(SYS_close, out);
  return out >= 0;
}

static void nameCopy(char* to) {
  snprintf(to, PATH_MAX, "%s.%d.%d", report, (int)getpid(), ++copies);
}

static struct Kept* keptOf(const char* path) {
  for (struct Kept* kept = keptFiles; kept != NULL; kept = kept->next)
    if (strcmp(kept->path, path) == 0) return kept;
  return NULL;
}

// Before the first change since a sync. SQLite's shared memory is none of the data.
static void keep(const char* path) {
  if (!isPower() || keptOf(path) != NULL || strstr(path, "-shm") != NULL) return;
  struct Kept* kept = calloc(1, sizeof *kept);
  snprintf(kept->path, PATH_MAX, "%s", path);
  nameCopy(kept->copy);
  kept->isThere = copyFile(path, kept->copy);
  kept->next = keptFiles;
  keptFiles = kept;
}

static void forget(const char* path) {
  for (struct Kept** link = &keptFiles; *link != NULL; link = &(*link)->next) {
    struct Kept* kept = *link;
    if (strcmp(kept->path, path) != 0) continue;
    syscall(SYS_unlinkat, AT_FDCWD, kept->copy, 0);
    *link = kept->next;
    free(kept);
    return;
  }
}

static int isInFolder(const char* path, const char* of) {
  const size_t length = strlen(of);
  return strncmp(path, of, length) == 0 && path[length] == '/' &&
         strchr(path + length + 1, '/') == NULL;
}

static void forgetMoves(const char* of) {
  for (struct Moved** link = &movedFiles; *link != NULL;) {
    struct Moved* moved = *link;
    if (isInFolder(moved->to, of)) {
      *link = moved->next;
      free(moved);
    } else {
      link = &moved->next;
    }
  }
}

static void losePower(void) {
  for (struct Kept* kept = keptFiles; kept != NULL; kept = kept->next) {
    if (kept->isThere) copyFile(kept->copy, kept->path);
    else syscall(SYS_truncate, kept->path, 0);
  }
  for (struct Moved* moved = movedFiles; moved != NULL; moved = moved->next) {
    if (moved->from[0] != '\0') syscall(SYS_renameat, AT_FDCWD, moved->to, AT_FDCWD, moved->from);
    if (moved->replaced[0] != '\0') copyFile(moved->replaced, moved->to);
  }
}

static void noteMove(const char* from, const char* to) {
  if (!isPower()) return;
  struct Moved* moved = calloc(1, sizeof *moved);
  snprintf(moved->from, PATH_MAX, "%s", from);
  snprintf(moved->to, PATH_MAX, "%s", to);
  char copy[PATH_MAX];
  nameCopy(copy);
  if (copyFile(to, copy)) snprintf(moved->replaced, PATH_MAX, "%s", copy);
  moved->next = movedFiles;
  movedFiles = moved;
  forget(to);
  struct Kept* kept = keptOf(from);
  if (kept != NULL) snprintf(kept->path, PATH_MAX, "%s", to);
}

// ---- the fault

// 0: the call goes on; -1: it fails with errno; 1: half of it is written.
static int fault(const char* call, const char* object) {
  if (!isListed(call)) return 0;
  counted += 1;
  if (at == 0 || counted == at) note(call, object + (object[0] == '/' ? strlen(folder) + 1 : 0));
  if (counted != at) return 0;
  if (isPower()) losePower();
  if (isPower() || strcmp(how, "kill") == 0) {
    // The whole of a host dies with its machine: its run processes and workers too.
    if (isPower()) syscall(SYS_kill, 0, 9);
    syscall(SYS_kill, getpid(), 9);
  }
  if (strcmp(how, "short") == 0) return 1;
  errno = strcmp(how, "ENOSPC") == 0   ? ENOSPC
          : strcmp(how, "EDQUOT") == 0 ? EDQUOT
          : strcmp(how, "EINTR") == 0  ? EINTR
          : strcmp(how, "ENOMEM") == 0 ? ENOMEM
                                       : EIO;
  return -1;
}

static int faultOfFd(const char* call, int fd) {
  char path[PATH_MAX];
  if (folder[0] == '\0' || !pathOfFd(fd, path)) return 0;
  pthread_mutex_lock(&lock);
  const int outcome = fault(call, path);
  if (outcome >= 0 && strcmp(call, "sync") != 0) keep(path);
  pthread_mutex_unlock(&lock);
  return outcome;
}

#define ORIGINAL(type, name, ...)                       \
  static type (*original)(__VA_ARGS__);                 \
  if (original == NULL) original = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

#define WRITE(name, parameters, arguments, types, fd, size)  \
  ssize_t name parameters {                                            \
    ORIGINAL(ssize_t, #name, types);                                   \
    const int outcome = faultOfFd("write", fd);                        \
    if (outcome < 0) return -1;                                        \
    if (outcome > 0 && size > 1) size /= 2;                            \
    return original arguments;                                         \
  }
#define LIST(...) __VA_ARGS__

WRITE(write, (int fd, const void* bytes, size_t size), (fd, bytes, size), LIST(int, const void*, size_t), fd, size)
WRITE(pwrite, (int fd, const void* bytes, size_t size, off_t to), (fd, bytes, size, to), LIST(int, const void*, size_t, off_t), fd, size)
WRITE(pwrite64, (int fd, const void* bytes, size_t size, off64_t to), (fd, bytes, size, to), LIST(int, const void*, size_t, off64_t), fd, size)
WRITE(writev, (int fd, const struct iovec* parts, int count), (fd, parts, count), LIST(int, const struct iovec*, int), fd, count)
WRITE(pwritev, (int fd, const struct iovec* parts, int count, off_t to), (fd, parts, count, to), LIST(int, const struct iovec*, int, off_t), fd, count)
WRITE(pwritev64, (int fd, const struct iovec* parts, int count, off64_t to), (fd, parts, count, to), LIST(int, const struct iovec*, int, off64_t), fd, count)

static int synced(int fd, int (*original)(int)) {
  if (faultOfFd("sync", fd) < 0) return -1;
  const int outcome = original(fd);
  char path[PATH_MAX];
  if (outcome == 0 && isPower() && pathOfFd(fd, path)) {
    pthread_mutex_lock(&lock);
    forget(path);
    forgetMoves(path);
    pthread_mutex_unlock(&lock);
  }
  return outcome;
}
int fsync(int fd) {
  ORIGINAL(int, "fsync", int);
  return synced(fd, original);
}
int fdatasync(int fd) {
  ORIGINAL(int, "fdatasync", int);
  return synced(fd, original);
}
int ftruncate(int fd, off_t size) {
  ORIGINAL(int, "ftruncate", int, off_t);
  return faultOfFd("truncate", fd) < 0 ? -1 : original(fd, size);
}
int ftruncate64(int fd, off64_t size) {
  ORIGINAL(int, "ftruncate64", int, off64_t);
  return faultOfFd("truncate", fd) < 0 ? -1 : original(fd, size);
}

int rename(const char* from, const char* to) {
  ORIGINAL(int, "rename", const char*, const char*);
  char source[PATH_MAX];
  char target[PATH_MAX];
  absolute(from, source);
  absolute(to, target);
  if (!isBelow(target)) return original(from, to);
  pthread_mutex_lock(&lock);
  const int outcome = fault("rename", target);
  if (outcome == 0) noteMove(source, target);
  pthread_mutex_unlock(&lock);
  return outcome < 0 ? -1 : original(from, to);
}

int unlink(const char* path) {
  ORIGINAL(int, "unlink", const char*);
  char whole[PATH_MAX];
  absolute(path, whole);
  if (!isBelow(whole)) return original(path);
  pthread_mutex_lock(&lock);
  const int outcome = fault("unlink", whole);
  if (outcome == 0) {
    noteMove("", whole);
  }
  pthread_mutex_unlock(&lock);
  return outcome < 0 ? -1 : original(path);
}

static int opening(const char* path, int flags) {
  if ((flags & O_CREAT) == 0 && (flags & O_TRUNC) == 0) return 0;
  char whole[PATH_MAX];
  absolute(path, whole);
  struct stat known;
  const int isThere = syscall(SYS_newfstatat, AT_FDCWD, whole, &known, 0) == 0;
  if (!isBelow(whole) || (isThere && (flags & O_TRUNC) == 0)) return 0;
  pthread_mutex_lock(&lock);
  const int outcome = fault("create", whole);
  if (outcome >= 0) keep(whole);
  pthread_mutex_unlock(&lock);
  return outcome;
}

#define OPEN(name)                                        \
  int name(const char* path, int flags, ...) {            \
    ORIGINAL(int, #name, const char*, int, ...);          \
    va_list rest;                                         \
    va_start(rest, flags);                                \
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                         \
    return opening(path, flags) < 0 ? -1 : original(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

// ---- memory

// Why so large: start-up and messages take less; scenes, rays and tables take more.
static const size_t largeBytes = 65536;

static int hasMemory(size_t size) {
  if (size < largeBytes || folder[0] == '\0') return 1;
  char bytes[32];
  snprintf(bytes, sizeof bytes, "%zu", size);
  pthread_mutex_lock(&lock);
  const int outcome = fault("malloc", bytes);
  pthread_mutex_unlock(&lock);
  return outcome >= 0;
}

// Why not by dlsym: it takes memory itself.
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

void* malloc(size_t size) { return hasMemory(size) ? __libc_malloc(size) : NULL; }
void* calloc(size_t count, size_t size) {
  return hasMemory(count * size) ? __libc_calloc(count, size) : NULL;
}
void* realloc(void* old, size_t size) { return hasMemory(size) ? __libc_realloc(old, size) : NULL; }
void* aligned_alloc(size_t to, size_t size) {
  return hasMemory(size) ? __libc_memalign(to, size) : NULL;
}
void* memalign(size_t to, size_t size) { return hasMemory(size) ? __libc_memalign(to, size) : NULL; }
int posix_memalign(void** memory, size_t to, size_t size) {
  void* made = hasMemory(size) ? __libc_memalign(to, size) : NULL;
  if (made == NULL) return ENOMEM;
  *memory = made;
  return 0;
}
