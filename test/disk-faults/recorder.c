// Loaded before libc by LD_PRELOAD: records the calls by which a process changes the files of one folder, in their order, and lets chosen
// calls fail as a disk does that is broken (EIO) or full (ENOSPC). SQLite calls libc, and so these functions in its place; Bun calls the
// system itself, which a filter (man 2 seccomp) turns into a signal.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

// The sixth argument of the calls that this library makes; the system does not look at it.
#define OWN 0x6d657368
#define SYSTEM(NUMBER, A, B, C, D) syscall(NUMBER, A, B, C, D, 0L, (long)OWN)

enum kind { OPEN, READ, WRITE, TRUNCATE, SYNC, UNLINK };

#define DESCRIPTORS 4096
#define NAME_BYTES 64

struct entry {
  int32_t kind;
  // 0, or the error that the caller got.
  int32_t error;
  // Of a write: where its bytes, which follow, begin. Of a truncation: the new size.
  int64_t offset;
  int64_t bytes;
  char name[NAME_BYTES];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char folder[4096];
static size_t folder_bytes;
// The name in the folder of each open file; empty for files elsewhere.
static char names[DESCRIPTORS][NAME_BYTES];
static int record = -1;
static int64_t entries;
static int64_t failed_syncs;
static int64_t calls, first, last;
static int error_number;
static unsigned kinds;
static int paused;

void recorder_record(const char *path) {
  record = (int)SYSTEM(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  entries = 0;
  failed_syncs = 0;
}

// Lets the calls of these kinds fail from one number on to another; counts from 1.
void recorder_fail(int64_t from, int64_t to, int error, unsigned of_kinds) {
  pthread_mutex_lock(&mutex);
  calls = 0;
  first = from;
  last = to;
  error_number = error;
  kinds = of_kinds;
  pthread_mutex_unlock(&mutex);
}

// Lets no call fail meanwhile, and counts none.
void recorder_pause(int on) { paused = on; }
int64_t recorder_calls(void) { return calls; }
int64_t recorder_entries(void) { return entries; }
int64_t recorder_failed_syncs(void) { return failed_syncs; }

static int fails(enum kind kind) {
  if (paused || !(kinds >> kind & 1)) return 0;
  calls += 1;
  return calls >= first && calls <= last ? error_number : 0;
}

static void put(const void *data, size_t bytes) {
  for (const char *next = data; bytes > 0;) {
    ssize_t done = SYSTEM(SYS_write, record, next, bytes, 0L);
    if (done <= 0) _exit(70);
    next += done;
    bytes -= (size_t)done;
  }
}

static void note(enum kind kind, const char *name, int error, int64_t offset, const void *data, int64_t bytes) {
  if (record < 0) return;
  struct entry entry = {.kind = kind, .error = error, .offset = offset, .bytes = bytes};
  strncpy(entry.name, name, NAME_BYTES - 1);
  put(&entry, sizeof entry);
  if (data) put(data, (size_t)bytes);
  entries += 1;
}

static const char *name_of(const char *path) {
  if (folder_bytes == 0 || strncmp(path, folder, folder_bytes) != 0) return NULL;
  if (path[folder_bytes] == '\0') return ".";
  return path[folder_bytes] == '/' ? path + folder_bytes + 1 : NULL;
}

static const char *watched(int fd) { return fd >= 0 && fd < DESCRIPTORS && names[fd][0] ? names[fd] : NULL; }

static int refused(int error) {
  pthread_mutex_unlock(&mutex);
  errno = error;
  return -1;
}

static int open_file(int at, const char *path, int flags, mode_t mode) {
  const char *name = name_of(path);
  if (!name) {
    int fd = (int)SYSTEM(SYS_openat, at, path, flags, mode);
    if (fd >= 0 && fd < DESCRIPTORS) names[fd][0] = '\0';
    return fd;
  }
  pthread_mutex_lock(&mutex);
  int error = fails(OPEN);
  if (error) return refused(error);
  int fd = (int)SYSTEM(SYS_openat, at, path, flags, mode);
  if (fd < 0) return refused(errno);
  if (fd < DESCRIPTORS) strncpy(names[fd], name, NAME_BYTES - 1);
  if (flags & O_TRUNC) note(TRUNCATE, name, 0, 0, NULL, 0);
  pthread_mutex_unlock(&mutex);
  return fd;
}

static mode_t mode_of(int flags, va_list more) { return flags & O_CREAT ? va_arg(more, mode_t) : 0; }

#define OPENING(NAME)                                                                                                  \
  int NAME(const char *path, int flags, ...) {                                                                         \
    va_list more;                                                                                                      \
    va_start(more, flags);                                                                                             \
    mode_t mode = mode_of(flags, more);                                                                                \
    va_end(more);                                                                                                      \
    return open_file(AT_FDCWD, path, flags, mode);                                                                     \
  }
OPENING(open)
OPENING(open64)

int openat(int at, const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = mode_of(flags, more);
  va_end(more);
  return open_file(at, path, flags, mode);
}

int close(int fd) {
  pthread_mutex_lock(&mutex);
  if (watched(fd)) names[fd][0] = '\0';
  int done = (int)syscall(SYS_close, fd);
  pthread_mutex_unlock(&mutex);
  return done;
}

static ssize_t read_at(int fd, void *to, size_t bytes, off_t offset) {
  if (watched(fd)) {
    pthread_mutex_lock(&mutex);
    int error = fails(READ);
    if (error) return refused(error);
    pthread_mutex_unlock(&mutex);
  }
  return syscall(SYS_pread64, fd, to, bytes, offset);
}
ssize_t pread(int fd, void *to, size_t bytes, off_t offset) { return read_at(fd, to, bytes, offset); }
ssize_t pread64(int fd, void *to, size_t bytes, off_t offset) { return read_at(fd, to, bytes, offset); }

// Of the first write that fails, half is on the disk.
static ssize_t write_at(int fd, const void *data, size_t bytes, off_t offset) {
  const char *name = watched(fd);
  if (!name) return SYSTEM(SYS_pwrite64, fd, data, bytes, offset);
  pthread_mutex_lock(&mutex);
  int error = fails(WRITE);
  size_t taken = !error ? bytes : calls == first ? bytes / 2 : 0;
  ssize_t done = SYSTEM(SYS_pwrite64, fd, data, taken, offset);
  int met = errno;
  if (done > 0) note(WRITE, name, error, offset, data, done);
  if (error) return refused(error);
  if (done < 0) return refused(met);
  pthread_mutex_unlock(&mutex);
  return done;
}
ssize_t pwrite(int fd, const void *data, size_t bytes, off_t offset) { return write_at(fd, data, bytes, offset); }
ssize_t pwrite64(int fd, const void *data, size_t bytes, off_t offset) { return write_at(fd, data, bytes, offset); }

// The same where the file stands.
static ssize_t write_on(int fd, const void *data, size_t bytes) {
  if (!watched(fd)) return SYSTEM(SYS_write, fd, data, bytes, 0L);
  const off_t at = lseek(fd, 0, SEEK_CUR);
  const ssize_t done = write_at(fd, data, bytes, at);
  if (done > 0) lseek(fd, at + done, SEEK_SET);
  return done;
}

static int truncate_to(int fd, off_t size) {
  const char *name = watched(fd);
  if (!name) return (int)SYSTEM(SYS_ftruncate, fd, size, 0L, 0L);
  pthread_mutex_lock(&mutex);
  int error = fails(TRUNCATE);
  if (error) return refused(error);
  int done = (int)SYSTEM(SYS_ftruncate, fd, size, 0L, 0L);
  if (done == 0) note(TRUNCATE, name, 0, size, NULL, 0);
  pthread_mutex_unlock(&mutex);
  return done;
}
int ftruncate(int fd, off_t size) { return truncate_to(fd, size); }
int ftruncate64(int fd, off_t size) { return truncate_to(fd, size); }

// A sync that fails has synced nothing, and the next one does not know of it (man 2 fsync, "retry").
static int sync_with(long number, int fd) {
  const char *name = watched(fd);
  if (!name) return (int)SYSTEM(number, fd, 0L, 0L, 0L);
  pthread_mutex_lock(&mutex);
  int error = fails(SYNC);
  int done = error ? 0 : (int)SYSTEM(number, fd, 0L, 0L, 0L);
  note(SYNC, name, error, 0, NULL, 0);
  if (error) failed_syncs += 1;
  if (error) return refused(error);
  pthread_mutex_unlock(&mutex);
  return done;
}
int fdatasync(int fd) { return sync_with(SYS_fdatasync, fd); }
int fsync(int fd) { return sync_with(SYS_fsync, fd); }

int unlink(const char *path) {
  const char *name = name_of(path);
  if (!name) return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  pthread_mutex_lock(&mutex);
  int error = fails(UNLINK);
  if (error) return refused(error);
  int done = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  int met = errno;
  if (done == 0) note(UNLINK, name, 0, 0, NULL, 0);
  if (done < 0) return refused(met);
  pthread_mutex_unlock(&mutex);
  return done;
}

#if defined(__x86_64__)
#define ARGUMENT(CONTEXT, N) ((CONTEXT)->uc_mcontext.gregs[(const int[]){REG_RDI, REG_RSI, REG_RDX, REG_R10}[N]])
#define RESULT(CONTEXT) ((CONTEXT)->uc_mcontext.gregs[REG_RAX])
#elif defined(__aarch64__)
#define ARGUMENT(CONTEXT, N) ((long)(CONTEXT)->uc_mcontext.regs[N])
#define RESULT(CONTEXT) ((CONTEXT)->uc_mcontext.regs[0])
#endif

// Does what a call asked of the system that did not come by libc.
static void on_call(int signal_number, siginfo_t *asked, void *at) {
  (void)signal_number;
  ucontext_t *context = at;
  const long first_argument = ARGUMENT(context, 0), second = ARGUMENT(context, 1), third = ARGUMENT(context, 2),
             fourth = ARGUMENT(context, 3);
  const int before = errno;
  long done = -1;
  switch (asked->si_syscall) {
    case SYS_openat: done = open_file((int)first_argument, (const char *)second, (int)third, (mode_t)fourth); break;
    case SYS_write: done = write_on((int)first_argument, (const void *)second, (size_t)third); break;
    case SYS_pwrite64: done = write_at((int)first_argument, (const void *)second, (size_t)third, fourth); break;
    case SYS_ftruncate: done = truncate_to((int)first_argument, second); break;
    default: done = sync_with(asked->si_syscall, (int)first_argument);
  }
  RESULT(context) = done < 0 ? -errno : done;
  errno = before;
}

#define LOAD(FIELD) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, FIELD))
#define IS(VALUE, YES, NO) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, VALUE, YES, NO)

// For all threads, once: Bun has set a handler of its own when it began.
static void filter_calls(void) {
  static int filtered;
  if (filtered) return;
  filtered = 1;
  struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
  struct sock_filter filter[] = {
    LOAD(nr), IS(SYS_openat, 5, 0), IS(SYS_write, 4, 0), IS(SYS_pwrite64, 3, 0), IS(SYS_ftruncate, 2, 0),
    IS(SYS_fdatasync, 1, 0), IS(SYS_fsync, 0, 2), LOAD(args[5]), IS(OWN, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
  };
  struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
  if (sigaction(SIGSYS, &action, NULL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
    _exit(71);
}

// From now on the files of this folder are meant; what is still open of another is forgotten.
void recorder_watch(const char *path) {
  filter_calls();
  pthread_mutex_lock(&mutex);
  memset(names, 0, sizeof names);
  strncpy(folder, path, sizeof folder - 1);
  folder_bytes = strlen(folder);
  pthread_mutex_unlock(&mutex);
}
