// What a plain C program reaches on the same veth pairs: the yardstick of `camcube benchmarks cables`.
//   cables receive IF SIZE SECONDS [ring]    counts frames; "ring": a mapped TPACKET_V3 ring instead of recvmmsg
//   cables receive IF SIZE SECONDS pause     as CamCube does: a TPACKET_V2 ring, and pauses in a stream of frames
//   cables send IF SIZE SECONDS              sends as fast as the kernel takes them
//   cables forward IF1 IF2 SECONDS           from IF1 to IF2
//   cables forward IF1 IF2 SECONDS SIZE      the same from such a ring, without a copy of the program's own
//   cables udp-receive PORT SIZE SECONDS     as receive, by UDP
//   cables udp-send ADDRESS PORT SIZE SECONDS
//   cables echo ADDRESS PORT                 blocking UDP, until it is killed
//   cables ping ADDRESS PORT SIZE COUNT      blocking UDP round trips
// One line of JSON at the end. Frames: EtherType 0x88B5, SIZE bytes with header, batches of 32.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { TYPE = 0x88B5, BATCH = 32, SLOT = 9216, BUFFER = 4 << 20, BLOCK = 1 << 16, STREAM = 8, PAUSE = 100000 };

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static double cpu(void) {
  struct rusage r;
  getrusage(RUSAGE_SELF, &r);
  return r.ru_utime.tv_sec + r.ru_stime.tv_sec + (r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e6;
}

static void die(const char *what) {
  perror(what);
  exit(1);
}

static int packet_socket(const char *name, int protocol, int ring) {
  int fd = socket(AF_PACKET, SOCK_RAW, 0), size = BUFFER;
  if (fd < 0) die("socket");
  setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size);
  setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size);
  struct timeval limit = {0, 100000};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  if (ring) {
    int version = TPACKET_V3;
    struct tpacket_req3 q = {.tp_block_size = 1 << 19, .tp_block_nr = 16, .tp_frame_size = 1 << 14,
                             .tp_frame_nr = 16 << 5, .tp_retire_blk_tov = 1};
    if (setsockopt(fd, SOL_PACKET, PACKET_VERSION, &version, sizeof version) ||
        setsockopt(fd, SOL_PACKET, PACKET_RX_RING, &q, sizeof q)) die("ring");
  }
  struct sockaddr_ll a = {.sll_family = AF_PACKET, .sll_protocol = htons(protocol), .sll_ifindex = if_nametoindex(name)};
  if (bind(fd, (void *)&a, sizeof a)) die("bind");
  return fd;
}

static struct mmsghdr messages[BATCH];
static struct iovec vectors[BATCH];
static uint8_t *slots;

static void prepare(int length) {
  slots = aligned_alloc(4096, BATCH * SLOT);
  memset(slots, 1, BATCH * SLOT);
  for (int i = 0; i < BATCH; i++) {
    vectors[i] = (struct iovec){slots + i * SLOT, length};
    messages[i].msg_hdr = (struct msghdr){.msg_iov = &vectors[i], .msg_iovlen = 1};
    memset(slots + i * SLOT, 0xff, 6);
    slots[i * SLOT + 12] = TYPE >> 8;
    slots[i * SLOT + 13] = TYPE & 255;
  }
}

static void send_batch(int fd, int n) {
  for (int sent = 0; sent < n;) {
    int k = sendmmsg(fd, messages + sent, n - sent, 0);
    if (k > 0) sent += k;
    else if (errno == ENOBUFS || errno == ECONNREFUSED) sent++;
    else if (errno != EINTR && errno != EAGAIN) die("sendmmsg");
  }
}

static void report(uint64_t frames, uint64_t bytes, double seconds, double used) {
  printf("{\"frames\":%lu,\"bytes\":%lu,\"seconds\":%.4f,\"cpuSeconds\":%.4f}\n", frames, bytes, seconds, used);
}

static int udp_socket(const char *address, int port) {
  int fd = socket(AF_INET, SOCK_DGRAM, 0), size = BUFFER;
  setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size);
  setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size);
  struct timeval limit = {0, 100000};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};
  if (address) inet_pton(AF_INET, address, &a.sin_addr);
  if (address ? connect(fd, (void *)&a, sizeof a) : bind(fd, (void *)&a, sizeof a)) die("udp");
  return fd;
}

// Counts from the first frame to the end of the time. Headers of IP and UDP count as Ethernet's.
static void receive(const char *name, double limit, int ring, int udp) {
  int fd = udp ? udp_socket(0, atoi(name)) : packet_socket(name, TYPE, ring);
  uint8_t *map = ring ? mmap(0, 16 << 19, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : 0;
  prepare(SLOT);
  printf("ready\n");
  fflush(stdout);
  uint64_t frames = 0, bytes = 0, first = 0, last = 0, idle = now();
  double used = 0, end = 0;
  volatile uint8_t sum = 0;
  for (int block = 0;;) {
    int n = 0;
    uint64_t got = 0;
    if (ring) {
      struct tpacket_block_desc *b = (void *)(map + ((size_t)block << 19));
      if (__atomic_load_n(&b->hdr.bh1.block_status, __ATOMIC_ACQUIRE) & TP_STATUS_USER) {
        struct tpacket3_hdr *h = (void *)((uint8_t *)b + b->hdr.bh1.offset_to_first_pkt);
        for (n = 0; n < (int)b->hdr.bh1.num_pkts; n++, h = (void *)((uint8_t *)h + h->tp_next_offset)) {
          sum += ((uint8_t *)h + h->tp_mac)[14];
          got += h->tp_len;
        }
        __atomic_store_n(&b->hdr.bh1.block_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
        block = (block + 1) & 15;
      } else {
        struct pollfd p = {fd, POLLIN, 0};
        poll(&p, 1, 100);
      }
    } else {
      n = recvmmsg(fd, messages, BATCH, MSG_WAITFORONE, 0);
      for (int i = 0; i < n; i++) {
        sum += slots[i * SLOT + 14];
        got += messages[i].msg_len + (udp ? 42 : 0);
      }
    }
    uint64_t t = now();
    if (n > 0) {
      if (!first) {
        first = t;
        used = cpu();
      }
      frames += n;
      bytes += got;
      last = t;
      end = cpu();
    }
    if (first ? t - first > limit * 1e9 || t - last > 1000000000 : t - idle > 20000000000ull) break;
  }
  report(frames, bytes, (last - first) / 1e9, end - used);
}

static void transmit(int fd, int size, int header, double limit) {
  prepare(size - header);
  uint64_t start = now(), frames = 0;
  double used = cpu();
  while (now() - start < limit * 1e9) {
    send_batch(fd, BATCH);
    frames += BATCH;
  }
  report(frames, frames * size, (now() - start) / 1e9, cpu() - used);
}

static void forward(const char *from, const char *to, double limit) {
  int in = packet_socket(from, TYPE, 0), out = packet_socket(to, 0, 0);
  prepare(SLOT);
  printf("ready\n");
  fflush(stdout);
  uint64_t frames = 0, bytes = 0, start = now(), first = 0, last = 0;
  double used = cpu(), end = used;
  while (now() - start < limit * 1e9) {
    for (int i = 0; i < BATCH; i++) vectors[i].iov_len = SLOT;
    int n = recvmmsg(in, messages, BATCH, MSG_WAITFORONE, 0);
    if (n <= 0) continue;
    if (!first) {
      first = now();
      used = cpu();
    }
    for (int i = 0; i < n; i++) bytes += vectors[i].iov_len = messages[i].msg_len;
    frames += n;
    send_batch(out, n);
    last = now();
    end = cpu();
  }
  report(frames, bytes, (last - first) / 1e9, end - used);
}

// What an Ethernet link of CamCube does, and nothing else: its ceiling.
struct paused_ring {
  int fd, poll, slot_bytes, slots_per_block, block, slot, frames;
  uint8_t *map;
};

static struct paused_ring paused_open(const char *name, int size) {
  struct paused_ring r = {.slot_bytes = (66 + size + 15) & -16};
  r.slots_per_block = BLOCK / r.slot_bytes;
  r.fd = packet_socket(name, 0, 0);
  int version = TPACKET_V2;
  struct tpacket_req q = {BLOCK, BUFFER / BLOCK, r.slot_bytes, r.slots_per_block * (BUFFER / BLOCK)};
  struct sockaddr_ll a = {.sll_family = AF_PACKET, .sll_protocol = htons(TYPE), .sll_ifindex = if_nametoindex(name)};
  if (setsockopt(r.fd, SOL_PACKET, PACKET_VERSION, &version, sizeof version) ||
      setsockopt(r.fd, SOL_PACKET, PACKET_RX_RING, &q, sizeof q) || bind(r.fd, (void *)&a, sizeof a)) die("ring");
  r.map = mmap(0, BUFFER, PROT_READ | PROT_WRITE, MAP_SHARED, r.fd, 0);
  r.poll = epoll_create1(0);
  struct epoll_event e = {.events = EPOLLIN};
  if (r.map == MAP_FAILED || epoll_ctl(r.poll, EPOLL_CTL_ADD, r.fd, &e)) die("map");
  prctl(PR_SET_TIMERSLACK, 1);
  return r;
}

// Frames that are there, as vectors into the ring; their headers for paused_give_back.
static int paused_take(struct paused_ring *r, struct tpacket2_hdr **headers) {
  int n = 0;
  for (; n < BATCH; n++) {
    struct tpacket2_hdr *h = (void *)(r->map + (size_t)r->block * BLOCK + (size_t)r->slot * r->slot_bytes);
    if (!(__atomic_load_n(&h->tp_status, __ATOMIC_ACQUIRE) & TP_STATUS_USER)) break;
    headers[n] = h;
    vectors[n] = (struct iovec){(uint8_t *)h + h->tp_mac, h->tp_snaplen};
    if (++r->slot == r->slots_per_block) {
      r->slot = 0;
      r->block = (r->block + 1) % (BUFFER / BLOCK);
    }
  }
  r->frames += n;
  return n;
}

static void paused_give_back(struct tpacket2_hdr **headers, int n) {
  for (int i = 0; i < n; i++) __atomic_store_n(&headers[i]->tp_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
}

static void paused_sleep(struct paused_ring *r) {
  struct timespec t = {0, r->frames >= STREAM ? PAUSE : 100000000};
  struct epoll_event e;
  if (r->frames >= STREAM) nanosleep(&t, 0);
  else epoll_pwait2(r->poll, &e, 1, &t, 0);
  r->frames = 0;
}

static void paused(const char *from, const char *to, int size, double limit) {
  struct paused_ring in = paused_open(from, size);
  int out = to ? packet_socket(to, 0, 0) : -1;
  prepare(size);
  printf("ready\n");
  fflush(stdout);
  struct tpacket2_hdr *headers[BATCH];
  uint64_t frames = 0, bytes = 0, first = 0, last = 0, start = now();
  double used = 0, end = 0;
  volatile uint8_t sum = 0;
  for (;;) {
    int n = paused_take(&in, headers);
    uint64_t t = now();
    if (n > 0) {
      if (!first) {
        first = t;
        used = cpu();
      }
      for (int i = 0; i < n; i++) {
        sum += ((uint8_t *)vectors[i].iov_base)[14];
        bytes += vectors[i].iov_len;
      }
      if (to) send_batch(out, n);
      paused_give_back(headers, n);
      frames += n;
      last = t;
      end = cpu();
    } else {
      paused_sleep(&in);
    }
    if (first ? t - first > limit * 1e9 || t - last > 1000000000 : t - start > 20000000000ull) break;
  }
  report(frames, bytes, (last - first) / 1e9, end - used);
}

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static void ping(const char *address, int port, int size, int count, int echo) {
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)}, who;
  inet_pton(AF_INET, address, &a.sin_addr);
  uint8_t *bytes = calloc(1, 65536);
  if (echo) {
    if (bind(fd, (void *)&a, sizeof a)) die("bind");
    printf("ready\n");
    fflush(stdout);
    for (;;) {
      socklen_t length = sizeof who;
      ssize_t n = recvfrom(fd, bytes, 65536, 0, (void *)&who, &length);
      if (n > 0) sendto(fd, bytes, n, 0, (void *)&who, length);
    }
  }
  struct timeval patience = {1, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (connect(fd, (void *)&a, sizeof a)) die("connect");
  uint64_t *times = calloc(count, sizeof *times);
  int got = 0;
  double used = cpu();
  uint64_t start = now();
  for (int i = 0; i < count; i++) {
    uint64_t t = now();
    if (send(fd, bytes, size, 0) > 0 && recv(fd, bytes, 65536, 0) > 0) times[got++] = now() - t;
  }
  qsort(times, got, sizeof *times, by_value);
  printf("{\"pings\":%d,\"medianMicros\":%.2f,\"p99Micros\":%.2f,\"seconds\":%.4f,\"cpuSeconds\":%.4f}\n", got,
         got ? times[got / 2] / 1e3 : 0, got ? times[got * 99 / 100] / 1e3 : 0, (now() - start) / 1e9, cpu() - used);
}

int main(int argc, char **argv) {
  if (argc == 6 && !strcmp(argv[1], "receive") && !strcmp(argv[5], "pause")) paused(argv[2], 0, atoi(argv[3]), atof(argv[4]));
  else if (argc == 6 && !strcmp(argv[1], "forward")) paused(argv[2], argv[3], atoi(argv[5]), atof(argv[4]));
  else if (argc >= 5 && !strcmp(argv[1], "receive")) receive(argv[2], atof(argv[4]), argc > 5, 0);
  else if (argc == 5 && !strcmp(argv[1], "udp-receive")) receive(argv[2], atof(argv[4]), 0, 1);
  else if (argc == 5 && !strcmp(argv[1], "send")) transmit(packet_socket(argv[2], 0, 0), atoi(argv[3]), 0, atof(argv[4]));
  else if (argc == 6 && !strcmp(argv[1], "udp-send")) transmit(udp_socket(argv[2], atoi(argv[3])), atoi(argv[4]), 42, atof(argv[5]));
  else if (argc == 5 && !strcmp(argv[1], "forward")) forward(argv[2], argv[3], atof(argv[4]));
  else if (argc == 4 && !strcmp(argv[1], "echo")) ping(argv[2], atoi(argv[3]), 0, 0, 1);
  else if (argc == 6 && !strcmp(argv[1], "ping")) ping(argv[2], atoi(argv[3]), atoi(argv[4]), atoi(argv[5]), 0);
  else return 2;
  return 0;
}
