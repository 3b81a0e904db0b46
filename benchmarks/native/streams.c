// TCP (CUBIC) between two network namespaces: the yardstick of `camcube benchmarks streams`.
//   streams receive PORT WARM SECONDS         counts the bytes of one connection after WARM seconds
//   streams send ADDRESS PORT SECONDS         sends as fast as the kernel takes them
//   streams offloads IF 0|1                   segmentation and coalescing (TSO, GSO, GRO) of an interface off or on
// One line of JSON at the end of the first two.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { PIECE = 1 << 18 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
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

static void report(uint64_t bytes, double seconds, double used) {
  printf("{\"bytes\":%lu,\"seconds\":%.4f,\"cpuSeconds\":%.4f}\n", bytes, seconds, used);
}

static int tcp(const char *address, int port) {
  int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  struct timeval limit = {10, 0};
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, "cubic", 5);
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};
  if (address) inet_pton(AF_INET, address, &a.sin_addr);
  if (address ? connect(fd, (void *)&a, sizeof a) : bind(fd, (void *)&a, sizeof a) || listen(fd, 1)) die("tcp");
  return fd;
}

static void receive(int port, double warm, double seconds) {
  int listening = tcp(0, port);
  printf("ready\n");
  fflush(stdout);
  int fd = accept(listening, 0, 0);
  if (fd < 0) die("accept");
  uint8_t *piece = malloc(PIECE);
  struct timeval soon = {0, 100000};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon);
  double start = now(), begun = 0, used = 0, t = start;
  uint64_t bytes = 0;
  while ((t = now()) - start < warm + seconds) {
    if (!begun && t - start >= warm) {
      begun = t;
      used = cpu();
      bytes = 0;
    }
    ssize_t n = recv(fd, piece, PIECE, 0);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) break;
    bytes += n > 0 ? n : 0;
  }
  report(bytes, t - begun, cpu() - used);
}

static void transmit(const char *address, int port, double seconds) {
  int fd = tcp(address, port);
  uint8_t *piece = malloc(PIECE);
  memset(piece, 1, PIECE);
  struct timeval soon = {0, 100000};
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &soon, sizeof soon);
  double start = now(), used = cpu();
  uint64_t bytes = 0;
  while (now() - start < seconds) {
    ssize_t n = send(fd, piece, PIECE, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN && errno != EINTR) break;
    bytes += n > 0 ? n : 0;
  }
  report(bytes, now() - start, cpu() - used);
}

static void offloads(const char *name, uint32_t on) {
  static const uint32_t commands[] = {ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO};
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  for (unsigned i = 0; i < sizeof commands / sizeof *commands; i++) {
    struct ethtool_value value = {commands[i], on};
    struct ifreq request = {.ifr_data = (void *)&value};
    strncpy(request.ifr_name, name, IFNAMSIZ - 1);
    if (ioctl(fd, SIOCETHTOOL, &request)) die("offloads");
  }
}

int main(int argc, char **argv) {
  if (argc == 5 && !strcmp(argv[1], "receive")) receive(atoi(argv[2]), atof(argv[3]), atof(argv[4]));
  else if (argc == 5 && !strcmp(argv[1], "send")) transmit(argv[2], atoi(argv[3]), atof(argv[4]));
  else if (argc == 4 && !strcmp(argv[1], "offloads")) offloads(argv[2], atoi(argv[3]));
  else return 2;
  return 0;
}
