using CamCube.Benchmarks;
using CamCube.Benchmarks.Cables;
using CamCube.Benchmarks.Camdoop;
using CamCube.Benchmarks.Collectives;
using CamCube.Benchmarks.Distributions;
using CamCube.Benchmarks.Images;
using CamCube.Benchmarks.KeyValues;
using CamCube.Benchmarks.Memcached;
using CamCube.Benchmarks.Speed;
using CamCube.Benchmarks.Streams;
using CamCube.Benchmarks.Tunnels;

// Macro runs measure a whole live cube; everything else is BenchmarkDotNet's.
switch (args.FirstOrDefault())
{
    case "wake-up":
        await WakeUpRun.RunAsync(args.Skip(1).ToArray());
        return 0;
    case "idle":
        await IdleRun.RunAsync(args.Skip(1).ToArray());
        return 0;
    case "speed":
        return SpeedRun.Run(args.Skip(1).ToArray());
    case "cables":
        return CablesRun.Run(args.Skip(1).ToArray());
    case "cables-node":
        return await CableNode.RunAsync(args.Skip(1).ToArray());
    case "streams":
        return StreamsRun.Run(args.Skip(1).ToArray());
    case "streams-node":
        return await StreamNode.RunAsync(args.Skip(1).ToArray());
    case "udp":
        return UdpRun.Run(args.Skip(1).ToArray());
    case "memcached":
        return MemcachedRun.Run(args.Skip(1).ToArray());
    case "memcached-tls":
        return await MemcachedTlsRun.RunAsync(args.Skip(1).ToArray());
    case "kv-peers":
        return await PeersRun.RunAsync(args.Skip(1).ToArray());
    case "images-peers":
        return await ImagePeersRun.RunAsync(args.Skip(1).ToArray());
    case "images-attack":
        return await AttackNode.RunAsync(args.Skip(1).ToArray());
    case "images-cpu":
        return await ImageCpuRun.RunAsync(args.Skip(1).ToArray());
    case "tunnel-peers":
        return await TunnelPeersRun.RunAsync(args.Skip(1).ToArray());
    case "distribution-peers":
        return await DistributionPeersRun.RunAsync(args.Skip(1).ToArray());
    case "collectives-peers":
        return await CollectivesPeersRun.RunAsync(args.Skip(1).ToArray());
    case "camdoop-peers":
        return await CamdoopPeersRun.RunAsync(args.Skip(1).ToArray());
    case "cache-memory":
        return CacheMemoryRun.Run(args.Skip(1).ToArray());
    case "cache-loaded":
        LoadedRun.Run();
        return 0;
    case "kv-pauses":
        return PausesRun.Run(args.Skip(1).ToArray());
    case "kv-start":
        return StartRun.Run(args.Skip(1).ToArray());
    case "kv-start-node":
        return await StartNode.RunAsync(args.Skip(1).ToArray());
    case null:
    case "--help":
        Console.WriteLine(
            """
            camcube benchmarks
              wake-up [calls]     latency of a call into an idle live cube of 27 servers: p50, p99, max
              idle [seconds]      CPU time of an idle live cube of 27 servers
              speed [axis ...]    packet hops per CPU second of the simulator beside a native yardstick, one and two
                                  threads
              cables [throughput] [forwarding] [ping] [ring] [yardsticks] [loop] [wakes] [threads] [pcap] [spin] [1500]
                     [9000] [rounds=3] [quick]
                                  servers on veth cables beside C programs and the kernel's forwarding; ring: round
                                  trips over 1 to 15 hops of 30 servers; needs root
              streams [cpu] [ping] [loss] [rounds=7] [quick]
                                  streams and short messages of servers on a veth pair beside C programs on TCP and
                                  UDP: payload per CPU second, round trips, goodput under loss; needs root
              udp [seconds]       sealed frames over loopback UDP: frames/s, Gbit/s, CPU per frame; sealing alone
              memcached [quick] [single] [multiget] [pipeline] [unix] [threads] [forwarded] [cube]
                                  CamCube.Memcached beside memcached: CPU per operation, latency; needs memcached
              memcached-tls [quick]
                                  both with TLS and without: CPU per get
              kv-peers [transfer] [failover] [redis] [members] [rounds=5]
                                  the key-value store beside dd with sync and nginx (100 MiB over HTTP), etcd (a
                                  process is killed, puts and gets of three members; needs root) and Redis: CPU of
                                  the servers for each operation
              images-peers [store] [serve] [hostile] [rounds=3]
                                  the image store beside vipsthumbnail and nginx: CPU per stored picture, thumbnails
                                  and bytes of originals per CPU second; p99 of others while hostile pictures come
              images-cpu [cables] [switch] [rounds=1]
                                  CPU time of each of 27 servers on cables while pictures are stored and thumbnails
                                  looked up, and of the same at a switch; needs root
              tunnel-peers [one-hop] [paths] [all-to-all] [rounds=3]
                                  TCP of iperf3 over the tunnel: over one hop beside tinc; between two servers over 2
                                  to 5 paths of limited links; from all of 27 servers to all; needs root
              distribution-peers [rounds=5]
                                  a file to 26 servers over shaped cables beside uftp over a bridge with a port of one
                                  cable's rate each: time, CPU per byte delivered; needs root, uftp
              collectives-peers [small] [rounds=5]
                                  an allreduce of 27 servers over shaped cables beside OpenMPI's ring over a bridge
                                  with a port of one cable's rate each; small: of 4 servers; needs root, OpenMPI
              camdoop-peers [words] [sort] [cat] [rounds=3]
                                  MapReduce on 27 servers of one process beside tr, sort, uniq, mawk and cat on the
                                  same bytes: CPU, equal output
              cache-memory [--items 5000000] [--value 100]
                                  memory per item of the cache's store beside memcached, growth at a limit, ns per get
                                  and set
              cache-loaded        growth at a limit of 1 GiB under load of 32 connections, beside memcached (part of
                                  cache-memory)
              kv-start [--keys 10000000] [--value 32] [--folder DIR] [--rounds 3]
                                  how long one server of the key-value store takes to start with so many keys, after
                                  an orderly stop and after kill -9; bytes of memory per key
              kv-pauses [rounds=3] [KiB of a value ...]
                                  how long the loop of a server stands still at a time while the log of the
                                  key-value store is compacted, beside the same load without compaction
              micro [BenchmarkDotNet arguments]
            """
        );
        return args.Length == 0 ? 2 : 0;
    case "micro":
        return MicroRun.Run(args.Skip(1).ToArray());
    default:
        Console.Error.WriteLine(
            $"'{args[0]}' is not a benchmark; there are: wake-up, idle, speed, cables, streams, udp, memcached, "
                + "memcached-tls, kv-peers, images-peers, images-cpu, tunnel-peers, distribution-peers, "
                + "collectives-peers, camdoop-peers, cache-memory, cache-loaded, kv-start, kv-pauses, micro"
        );
        return 2;
}
