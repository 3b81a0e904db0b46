// The yardstick beside which the simulator's speed is stated: packets over a k-ary 3-cube with what any packet-level simulator must do
// and nothing else. A time wheel, a FIFO per link, two events per hop (a link has sent, a packet has arrived), Poisson sources, uniform
// destinations, dimension-order shortest paths. No services, no headers, no statistics but the counts. One thread.
//
//   g++ -O3 -march=native -o yardstick yardstick.cpp && ./yardstick 8 0.9 20
//
// Arguments: axis size, load as a part of what the links can carry, virtual milliseconds of warming up. Then it goes on for as many virtual
// milliseconds as each line of its input says, and prints one JSON line for each; so it can take turns with another program. Without
// input it goes on for four times as long as it warmed up.
#include <sys/resource.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr uint64_t kSerialisation = 72'304;  // ns: a 9,014-byte frame with preamble, checksum and gap at 1 Gbit/s
constexpr uint64_t kPropagation = 500;
constexpr int kSlotShift = 9;  // a wheel slot is 512 ns
constexpr uint32_t kSlots = 1u << 12;

enum Kind : uint32_t { kArrive = 0, kSent = 1, kSource = 2 };

struct Event {
  uint64_t time;
  uint32_t what;  // kind in the two highest bits, packet, link or server below
  uint32_t order;
};

struct Packet {
  uint32_t next;
  uint32_t destination;
  uint32_t server;
  uint32_t tie;  // which way round when both are equally short, a bit per axis
};

struct Out {
  uint32_t head, tail, peer;
};

uint64_t state = 0x9E3779B97F4A7C15ull;
uint64_t Draw() {
  state += 0x9E3779B97F4A7C15ull;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

double Exponential(double mean) { return -std::log(1.0 - static_cast<double>(Draw() >> 11) * 0x1p-53) * mean; }

// Events within the wheel's span lie unsorted in their slot and are sorted when the slot comes up; later ones wait in a list.
class Wheel {
 public:
  Wheel() : slots_(kSlots) {}

  void Push(uint64_t time, uint32_t what) {
    Event e{time, what, order_++};
    uint64_t slot = time >> kSlotShift;
    if (slot < next_) {
      Insert(e);
    } else if (slot - next_ < kSlots) {
      slots_[slot % kSlots].push_back(e);
      count_++;
    } else {
      far_.push_back(e);
    }
  }

  // The earliest event; it stays until Drop.
  const Event& First() {
    while (at_ == now_.size()) {
      Load();
    }
    return now_[at_];
  }

  void Drop() { at_++; }

 private:
  static bool Before(const Event& a, const Event& b) { return a.time < b.time || (a.time == b.time && a.order < b.order); }

  void Insert(Event e) {
    size_t i = now_.size();
    now_.push_back(e);
    for (; i > at_ && Before(e, now_[i - 1]); i--) {
      now_[i] = now_[i - 1];
    }
    now_[i] = e;
  }

  void Load() {
    now_.clear();
    at_ = 0;
    if (count_ == 0 || next_ % kSlots == 0) {
      Refill();
    }
    std::vector<Event>& slot = slots_[next_ % kSlots];
    next_++;
    count_ -= slot.size();
    for (const Event& e : slot) {
      Insert(e);
    }
    slot.clear();
  }

  void Refill() {
    size_t kept = 0;
    for (const Event& e : far_) {
      uint64_t slot = e.time >> kSlotShift;
      if (slot - next_ < kSlots) {
        slots_[slot % kSlots].push_back(e);
        count_++;
      } else {
        far_[kept++] = e;
      }
    }
    far_.resize(kept);
  }

  std::vector<std::vector<Event>> slots_;
  std::vector<Event> now_, far_;
  size_t at_ = 0, count_ = 0;
  uint64_t next_ = 0;
  uint32_t order_ = 0;
};

class Cube {
 public:
  Cube(int k, double load) : k_(k), n_(k * k * k), packets_(1), links_(n_ * 6), place_(n_) {
    double hops = 0;
    for (int d = 0; d < k; d++) {
      hops += d < k - d ? d : k - d;
    }
    mean_hops_ = 3 * hops / k * n_ / (n_ - 1.0);
    gap_ = mean_hops_ * kSerialisation / (6 * load);
    for (int i = 0; i < n_; i++) {
      int x = i % k, y = i / k % k, z = i / (k * k);
      place_[i] = static_cast<uint32_t>(x | y << 8 | z << 16);
      for (int link = 0; link < 6; link++) {
        int step = link % 2 == 0 ? 1 : k - 1;
        int px = link / 2 == 0 ? (x + step) % k : x, py = link / 2 == 1 ? (y + step) % k : y, pz = link / 2 == 2 ? (z + step) % k : z;
        links_[i * 6 + link] = {0, 0, static_cast<uint32_t>(px + k * (py + k * pz))};
      }
      wheel_.Push(static_cast<uint64_t>(Exponential(gap_)), static_cast<uint32_t>(i) | kSource << 30);
    }
  }

  void Run(uint64_t until) {
    for (;;) {
      Event e = wheel_.First();
      if (e.time > until) {
        return;
      }
      wheel_.Drop();
      events++;
      uint32_t number = e.what & 0x3FFF'FFFF;
      switch (e.what >> 30) {
        case kArrive:
          Arrive(number, e.time);
          break;
        case kSent:
          Sent(number, e.time);
          break;
        default:
          Make(number, e.time);
          break;
      }
    }
  }

  uint64_t hops = 0, delivered = 0, events = 0;
  size_t Packets() const { return packets_.size() - 1; }
  int Servers() const { return n_; }

 private:
  void Arrive(uint32_t packet, uint64_t now) {
    hops++;
    if (packets_[packet].server == packets_[packet].destination) {
      delivered++;
      packets_[packet].next = free_;
      free_ = packet;
    } else {
      Queue(packet, now);
    }
  }

  void Queue(uint32_t packet, uint64_t now) {
    Packet& p = packets_[packet];
    uint32_t from = place_[p.server], to = place_[p.destination];
    uint32_t link = p.server * 6;
    for (int axis = 0;; axis++, link += 2) {
      int away = static_cast<int>(to >> (8 * axis) & 255) - static_cast<int>(from >> (8 * axis) & 255);
      if (away != 0) {
        away += away < 0 ? k_ : 0;
        bool up = 2 * away < k_ || (2 * away == k_ && (p.tie >> axis & 1) != 0);
        link += up ? 0 : 1;
        break;
      }
    }
    p.next = 0;
    Out& out = links_[link];
    if (out.head != 0) {
      packets_[out.tail].next = packet;
    } else {
      out.head = packet;
      wheel_.Push(now + kSerialisation, link | kSent << 30);
    }
    out.tail = packet;
  }

  void Sent(uint32_t link, uint64_t now) {
    Out& out = links_[link];
    uint32_t packet = out.head;
    out.head = packets_[packet].next;
    packets_[packet].server = out.peer;
    wheel_.Push(now + kPropagation, packet | kArrive << 30);
    if (out.head != 0) {
      wheel_.Push(now + kSerialisation, link | kSent << 30);
    }
  }

  void Make(uint32_t server, uint64_t now) {
    uint32_t packet = free_;
    if (packet == 0) {
      packet = static_cast<uint32_t>(packets_.size());
      packets_.push_back({});
    } else {
      free_ = packets_[packet].next;
    }
    uint64_t draw = Draw();
    uint32_t to = static_cast<uint32_t>((draw >> 32) * static_cast<uint64_t>(n_ - 1) >> 32);
    packets_[packet] = {0, to >= server ? to + 1 : to, server, static_cast<uint32_t>(draw)};
    Queue(packet, now);
    wheel_.Push(now + 1 + static_cast<uint64_t>(Exponential(gap_)), server | kSource << 30);
  }

  int k_, n_;
  double mean_hops_ = 0, gap_ = 0;
  std::vector<Packet> packets_;
  std::vector<Out> links_;
  std::vector<uint32_t> place_;
  Wheel wheel_;
  uint32_t free_ = 0;
};

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

void Measure(Cube& cube, double until) {
  uint64_t hops = cube.hops;
  double began = CpuSeconds();
  cube.Run(static_cast<uint64_t>(until));
  double seconds = CpuSeconds() - began;
  hops = cube.hops - hops;
  std::printf("{\"hops\":%llu,\"cpuSeconds\":%.6f,\"hopsPerCpuSecond\":%.0f,\"packets\":%zu,\"delivered\":%llu}\n",
              static_cast<unsigned long long>(hops), seconds, static_cast<double>(hops) / seconds, cube.Packets(),
              static_cast<unsigned long long>(cube.delivered));
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::fprintf(stderr, "usage: yardstick AXIS LOAD MILLISECONDS\n");
    return 2;
  }
  int k = std::atoi(arguments[1]);
  double load = std::atof(arguments[2]), millis = std::atof(arguments[3]);
  if (k < 2 || k > 255 || load <= 0 || millis <= 0) {
    std::fprintf(stderr, "yardstick: AXIS is 2 to 255, LOAD and MILLISECONDS are positive\n");
    return 2;
  }
  Cube cube(k, load);
  double until = millis * 1e6;
  cube.Run(static_cast<uint64_t>(until));
  bool has_slice = false;
  for (double slice = 0; std::scanf("%lf", &slice) == 1 && slice > 0;) {
    has_slice = true;
    Measure(cube, until += slice * 1e6);
  }
  if (!has_slice) {
    Measure(cube, until * 5);
  }
  return 0;
}
