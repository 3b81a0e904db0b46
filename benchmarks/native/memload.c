// Load for a memcached server, and what it cost: a closed loop of connections, each with one request (or batch) in flight.
// memload ADDRESS MODE BATCH CONNECTIONS SECONDS SETS PID [KEYS]
//   ADDRESS  port on 127.0.0.1, FIRST-LAST: ports that the connections share evenly, or a path: Unix socket
//   MODE     single | multiget | pipeline
//   BATCH    keys per get, or requests per batch              SETS  percent of requests that store
//   PID      server whose CPU time is read
//   KEYS     file with a key of 17 bytes per line, at most 10,000; or a number: so many of its own, for stores only, and nothing is stored
//            before it begins; by default there are 10,000 of its own, all stored before it begins
// Every answer is checked: its length, and that it ends as it must. Prints one line:
//   operations seconds cpu_nanos p50_nanos p99_nanos p999_nanos context_switches
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MostKeys = 10000, KeyLength = 17, Value = 512, MostBatch = 256, Buckets = 4096, WarmMillis = 300 };
enum Mode { Single, Multiget, Pipeline };

struct connection {
  int fd;
  long expected, received;   // bytes of the answer to the batch in flight
  uint64_t sent_at;
  char *request;
  long length, written;
  int waits;                 // for room to send
  int operations;
};

static char value[Value + 1];
static uint64_t histogram[Buckets], operations, seed = 88172645463325252ull;
static int measuring;
static char keys[MostKeys][KeyLength + 16];
static int key_count;
static uint32_t many_keys;

static uint64_t nanos(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint32_t draw(uint32_t below) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (uint32_t)((seed >> 11) % below);
}

static void fail(const char *what) {
  fprintf(stderr, "memload: %s: %s\n", what, errno ? strerror(errno) : "wrong answer");
  exit(1);
}

// 32 buckets per power of two: 3 % wide.
static int bucket_of(uint64_t n) {
  if (n < 64) return (int)n;
  int power = 63 - __builtin_clzll(n);
  int i = (power - 5) * 32 + (int)((n >> (power - 5)) & 31) + 32;
  return i < Buckets ? i : Buckets - 1;
}

static uint64_t value_of(int bucket) {
  if (bucket < 64) return (uint64_t)bucket;
  int power = (bucket - 32) / 32 + 5, step = (bucket - 32) % 32;
  return (32ull + (uint64_t)step) << (power - 5);
}

static uint64_t percentile(double part) {
  uint64_t all = 0, seen = 0;
  for (int i = 0; i < Buckets; i++) all += histogram[i];
  for (int i = 0; i < Buckets; i++) {
    seen += histogram[i];
    if (seen >= (uint64_t)((double)all * part)) return value_of(i);
  }
  return 0;
}

// Time on a core of all threads, and how often they left it.
static void cost_of(int pid, uint64_t *cpu, uint64_t *switches) {
  char path[320];
  *cpu = *switches = 0;
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *tasks = opendir(path);
  if (!tasks) fail(path);
  for (struct dirent *task; (task = readdir(tasks));) {
    if (task->d_name[0] == '.') continue;
    unsigned long long ran, waited, slices;
    snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", pid, task->d_name);
    FILE *f = fopen(path, "r");
    if (!f) continue;
    if (fscanf(f, "%llu %llu %llu", &ran, &waited, &slices) == 3) {
      *cpu += ran;
      *switches += slices;
    }
    fclose(f);
  }
  closedir(tasks);
}

static void make_keys(void) {
  for (key_count = 0; key_count < MostKeys; key_count++) snprintf(keys[key_count], sizeof keys[0], "memload:key:%05d", key_count);
}

static void read_keys(const char *file) {
  FILE *f = fopen(file, "r");
  if (!f) fail(file);
  while (key_count < MostKeys && fgets(keys[key_count], sizeof keys[0], f)) {
    errno = 0;
    if (keys[key_count][KeyLength] != '\n') fail("length of a key");
    keys[key_count++][KeyLength] = 0;
  }
  errno = 0;
  if (!key_count) fail(file);
  fclose(f);
}

// Of the ports of an address, the one of a connection's number.
static int port_of(const char *address, int number) {
  char *rest;
  int first = (int)strtol(address, &rest, 10), last = *rest == '-' ? atoi(rest + 1) : first;
  return first + number % (last - first + 1);
}

static int connect_to(const char *address, int number) {
  int fd;
  for (int attempt = 0; attempt < 200; attempt++) {
    if (address[0] == '/') {
      struct sockaddr_un a = {.sun_family = AF_UNIX};
      strncpy(a.sun_path, address, sizeof a.sun_path - 1);
      fd = socket(AF_UNIX, SOCK_STREAM, 0);
      if (!connect(fd, (struct sockaddr *)&a, sizeof a)) return fd;
    } else {
      struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port_of(address, number)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
      int one = 1;
      fd = socket(AF_INET, SOCK_STREAM, 0);
      if (!connect(fd, (struct sockaddr *)&a, sizeof a)) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        return fd;
      }
    }
    close(fd);
    usleep(50000);
  }
  fail("connect");
  return -1;
}

static void store_all(const char *address) {
  int fd = connect_to(address, 0);
  char request[Value + 128], answer[16];
  for (int i = 0; i < key_count; i++) {
    int n = snprintf(request, sizeof request, "set %s 0 0 %d\r\n%s\r\n", keys[i], Value, value);
    if (write(fd, request, (size_t)n) != n) fail("write");
    for (int got = 0; got < 8;) {
      ssize_t r = read(fd, answer + got, sizeof answer - (size_t)got);
      if (r <= 0) fail("read");
      got += (int)r;
    }
    errno = 0;
    if (memcmp(answer, "STORED\r\n", 8)) fail("set");
  }
  close(fd);
}

static const char *draw_key(void) {
  static char key[32];
  if (many_keys) {
    snprintf(key, sizeof key, "load:key%09u", draw(many_keys));
    return key;
  }

  return keys[draw((uint32_t)key_count)];
}

static long add_get(char *at, int count, long *expected) {
  long n = sprintf(at, "get");
  for (int i = 0; i < count; i++) {
    n += sprintf(at + n, " %s", draw_key());
    *expected += 6 + KeyLength + 3 + 3 + 2 + Value + 2; // "VALUE " key " 0 " "512" line end, value, line end
  }
  *expected += 5;
  return n + sprintf(at + n, "\r\n");
}

static void make_request(struct connection *c, enum Mode mode, int batch, int sets) {
  c->length = c->written = c->received = c->expected = 0;
  c->operations = 0;
  int requests = mode == Pipeline ? batch : 1, per_get = mode == Multiget ? batch : 1;
  for (int i = 0; i < requests; i++) {
    if ((int)draw(100) < sets) {
      c->length += sprintf(c->request + c->length, "set %s 0 0 %d\r\n%s\r\n", draw_key(), Value, value);
      c->expected += 8;
      c->operations++;
    } else {
      c->length += add_get(c->request + c->length, per_get, &c->expected);
      c->operations += per_get;
    }
  }
}

static void send_request(struct connection *c, int epoll) {
  while (c->written < c->length) {
    ssize_t n = send(c->fd, c->request + c->written, (size_t)(c->length - c->written), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN) fail("send");
    if (n < 0) break;
    c->written += n;
  }
  struct epoll_event e = {.events = EPOLLIN | (c->written < c->length ? EPOLLOUT : 0u), .data.ptr = c};
  int waits = c->written < c->length;
  if (waits || c->waits) {
    c->waits = waits;
    epoll_ctl(epoll, EPOLL_CTL_MOD, c->fd, &e);
  }
}

int main(int count, char **arguments) {
  if (count != 8 && count != 9) {
    fprintf(stderr, "memload ADDRESS single|multiget|pipeline BATCH CONNECTIONS SECONDS SETS PID [KEYS]\n");
    return 2;
  }
  const char *address = arguments[1];
  enum Mode mode = !strcmp(arguments[2], "single") ? Single : !strcmp(arguments[2], "multiget") ? Multiget : Pipeline;
  int batch = atoi(arguments[3]), connections = atoi(arguments[4]), sets = atoi(arguments[6]), pid = atoi(arguments[7]);
  double seconds = atof(arguments[5]);
  if (batch < 1 || batch > MostBatch) fail("BATCH");
  memset(value, 'v', Value);
  if (count == 9 && strspn(arguments[8], "0123456789") == strlen(arguments[8])) many_keys = (uint32_t)atoi(arguments[8]);
  else if (count == 9) read_keys(arguments[8]);
  else make_keys();
  if (many_keys && sets < 100) fail("KEYS is a number: only for stores");
  if (!many_keys) store_all(address);

  int epoll = epoll_create1(0);
  struct connection *all = calloc((size_t)connections, sizeof *all);
  for (int i = 0; i < connections; i++) {
    all[i].fd = connect_to(address, i);
    all[i].request = malloc((size_t)batch * (Value + 128));
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = &all[i]};
    epoll_ctl(epoll, EPOLL_CTL_ADD, all[i].fd, &e);
    make_request(&all[i], mode, batch, sets);
    all[i].sent_at = nanos();
    send_request(&all[i], epoll);
  }

  static char buffer[1 << 18];
  struct epoll_event events[256];
  uint64_t start = nanos(), begin = start + WarmMillis * 1000000ull, end = begin + (uint64_t)(seconds * 1e9), now = start;
  uint64_t cpu = 0, switches = 0, cpu_end, switches_end;
  while (now < end) {
    int n = epoll_wait(epoll, events, 256, 1000);
    if (n == 0) {
      errno = 0;
      fail("no answer for a second");
    }
    for (int i = 0; i < n; i++) {
      struct connection *c = events[i].data.ptr;
      if (events[i].events & EPOLLOUT) send_request(c, epoll);
      if (!(events[i].events & ~(uint32_t)EPOLLOUT)) continue;
      ssize_t r = recv(c->fd, buffer, sizeof buffer, MSG_DONTWAIT);
      if (r < 0 && errno == EAGAIN) continue;
      if (r <= 0) fail("recv");
      c->received += r;
      errno = 0;
      if (c->received > c->expected) fail("too long");
      if (c->received < c->expected) continue;
      if (r >= 2 && (buffer[r - 2] != '\r' || buffer[r - 1] != '\n')) fail("end");
      now = nanos();
      if (measuring) {
        histogram[bucket_of(now - c->sent_at)]++;
        operations += (uint64_t)c->operations;
      }
      make_request(c, mode, batch, sets);
      c->sent_at = now;
      send_request(c, epoll);
    }
    now = nanos();
    if (!measuring && now >= begin) {
      measuring = 1;
      begin = now;
      cost_of(pid, &cpu, &switches);
    }
  }
  cost_of(pid, &cpu_end, &switches_end);
  printf("%llu %.3f %llu %llu %llu %llu %llu\n", (unsigned long long)operations, (double)(now - begin) / 1e9,
         (unsigned long long)(cpu_end - cpu), (unsigned long long)percentile(.5), (unsigned long long)percentile(.99),
         (unsigned long long)percentile(.999), (unsigned long long)(switches_end - switches));
  return 0;
}
