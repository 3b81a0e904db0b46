using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using System.Security.Cryptography;
using CamCube.Cables;
using CamCube.Shim.Udp.Endpoints;
using CamCube.Shim.Udp.Ports;
using CamCube.Shim.Udp.Sealing;
using CamCube.Shim.Udp.Settings;

namespace CamCube.Benchmarks;

/// <summary>What sealed frames cost: sealing and opening alone, and from one thread's ports to another's over
/// loopback.</summary>
internal static class UdpRun
{
    private const int BasePort = 47_100;
    private static readonly TorusShape Shape = new(2, 1, 1);

    public static int Run(string[] args)
    {
        double seconds = args.Length > 0 ? double.Parse(args[0], CultureInfo.InvariantCulture) : 2;
        if (!OperatingSystem.IsLinux())
        {
            Console.Error.WriteLine("The shim Udp works on Linux only.");
            return 2;
        }

        Console.WriteLine(
            $"{Environment.ProcessorCount} processors, .NET {Environment.Version}, AES-256-GCM; "
                + $"lengths are those of datagrams, {FrameFormat.Overhead} bytes of them overhead"
        );
        Console.WriteLine();
        Console.WriteLine(
            "sealing alone, one thread        seal ns   open ns   forged ns   seal+open Gbit/s   bytes allocated "
                + "per frame"
        );
        foreach (int length in (int[])[96, 1_400, 8_900])
        {
            Sealing(length, seconds / 4);
        }

        Console.WriteLine();
        Console.WriteLine(
            "ports to ports over loopback     frames/s   Gbit/s    lost   sender CPU ns/frame   receiver CPU "
                + "ns/frame   allocated"
        );
        foreach (int length in (int[])[96, 1_400, 8_900])
        {
            foreach (bool joins in (bool[])[false, true])
            {
                Ports(length, joins, seconds);
            }
        }

        return 0;
    }

    private static void Sealing(int length, double seconds)
    {
        var key = new ClusterKey(RandomNumberGenerator.GetBytes(32));
        byte[] nonces = RandomNumberGenerator.GetBytes(32),
            datagram = new byte[length];
        using Session sender = new(key, true, nonces.AsSpan(0, 16), nonces.AsSpan(16), 0),
            receiver = new(key, false, nonces.AsSpan(0, 16), nonces.AsSpan(16), 0);
        int frame = length - FrameFormat.Overhead;
        byte[][] batch = [.. Enumerable.Range(0, 64).Select(_ => new byte[length])];
        void Pass(int rounds, bool opens)
        {
            for (int i = 0; i < rounds * batch.Length; i++)
            {
                byte[] d = batch[i % batch.Length];
                sender.Seal(d, frame, FramePart.Whole);
                if (opens && !receiver.TryOpen(d))
                {
                    throw new InvalidOperationException("A genuine frame was refused.");
                }
            }
        }

        // CPU time of this thread, since the machine may have other work.
        Pass(500, true);
        int rounds = (int)(seconds * 4_000);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Pass(rounds, true);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        long start = CpuNanos();
        Pass(rounds, false);
        long middle = CpuNanos();
        Pass(rounds, true);
        long stop = CpuNanos();
        double frames = (double)rounds * batch.Length,
            seal = (middle - start) / frames,
            open = ((stop - middle) / frames) - seal;
        sender.Seal(datagram, frame, FramePart.Whole);
        datagram[^1] ^= 1;
        const int Forged = 2_000;
        start = CpuNanos();
        for (int i = 0; i < Forged; i++)
        {
            receiver.TryOpen(datagram);
        }

        double forged = (double)(CpuNanos() - start) / Forged;
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"  {length, 5} bytes                  {seal, 9:0} {open, 9:0} {forged, 11:0} "
                    + $"{8.0 * frame / (seal + open), 18:0.0} {allocated / frames, 27:0.##}"
            )
        );
    }

    private static long CpuNanos()
    {
        string text = File.ReadAllText("/proc/thread-self/schedstat");
        return long.Parse(text.AsSpan(0, text.IndexOf(' ')), CultureInfo.InvariantCulture);
    }

    [SupportedOSPlatform("linux")]
    private static void Ports(int length, bool joins, double seconds)
    {
        UdpPorts sender = Open(0, joins),
            receiver = Open(1, joins);
        int frame = length - FrameFormat.Overhead;
        bool stop = false;
        var sent = new Counter();
        var received = new Counter();
        var clock = Stopwatch.StartNew();
        long Now() => (long)clock.Elapsed.TotalNanoseconds;
        var receiving = new Thread(() =>
        {
            while (!Volatile.Read(ref stop))
            {
                if (receiver.Receive(received, 1_024, Now()) == 0)
                {
                    receiver.Wait(Now(), Now() + 20_000_000);
                }

                receiver.Flush(received, Now());
                received.Sample();
            }
        });
        var sending = new Thread(() =>
        {
            while (!Volatile.Read(ref stop))
            {
                sender.Receive(sent, 64, Now());
                for (int i = 0; i < 256 && sender.Room(0) > 0; i++)
                {
                    sender.Rent(0)[..frame].Fill(1);
                    sender.Send(0, frame);
                    sent.Frames++;
                }

                sender.Flush(sent, Now());
                if (sender.Room(0) == 0)
                {
                    sender.Wait(Now(), Now() + 1_000_000);
                }

                sent.Sample();
            }
        });
        receiving.Start();
        sending.Start();
        Thread.Sleep(500);
        (long Frames, long Drops, long Cpu, long Allocated) s0 = sent.Read(),
            r0 = received.Read();
        long began = Stopwatch.GetTimestamp();
        Thread.Sleep(TimeSpan.FromSeconds(seconds));
        (long Frames, long Drops, long Cpu, long Allocated) s1 = sent.Read(),
            r1 = received.Read();
        double took = Stopwatch.GetElapsedTime(began).TotalSeconds;
        Volatile.Write(ref stop, true);
        sender.Wake();
        receiver.Wake();
        receiving.Join();
        sending.Join();
        sender.Close();
        receiver.Close();
        long arrived = r1.Frames - r0.Frames,
            left = s1.Frames - s0.Frames - (s1.Drops - s0.Drops);
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"  {length, 5} bytes, {(joins ? "joined (GSO)" : "one by one  ")}   {arrived / took, 9:0} "
                    + $"{8.0 * frame * arrived / took / 1e9, 8:0.00} "
                    + $"{100.0 * (left - arrived) / Math.Max(left, 1), 6:0.0}% "
                    + $"{(double)(s1.Cpu - s0.Cpu) / Math.Max(left, 1), 20:0} "
                    + $"{(double)(r1.Cpu - r0.Cpu) / Math.Max(arrived, 1), 23:0} "
                    + $"{s1.Allocated - s0.Allocated + r1.Allocated - r0.Allocated, 11}"
            )
        );
    }

    [SupportedOSPlatform("linux")]
    private static UdpPorts Open(int server, bool joins)
    {
        string Number(int value) => value.ToString(CultureInfo.InvariantCulture);
        Dictionary<string, string> settings = new(StringComparer.OrdinalIgnoreCase)
        {
            ["ClusterKey"] = Convert.ToBase64String(new byte[32]),
            ["BindAddress"] = "127.0.0.1",
            ["BasePort"] = Number(BasePort + (server * 10)),
            ["Neighbours:+x"] = "127.0.0.1:" + Number(BasePort + ((1 - server) * 10) + 1),
            ["Neighbours:-x"] = "127.0.0.1:" + Number(BasePort + ((1 - server) * 10)),
            ["Mtu"] = "65535",
        };
        UdpOptions options = UdpOptions.Read(settings) with { Joins = joins };
        IReadOnlyList<(Link, HostPort)> plan = NeighbourPlan.For(Shape, Shape.At(server), options);
        return UdpPorts.Open(
            options,
            plan,
            System.Net.Dns.GetHostAddressesAsync,
            RandomNumberGenerator.Fill,
            static news => Console.WriteLine(news.Text)
        );
    }

    /// <summary>Counts of one thread; it writes them down now and then for another to read.</summary>
    private sealed class Counter : ICablePortEvents
    {
        private readonly Lock _lock = new();
        private (long Frames, long Drops, long Cpu, long Allocated) _sample;
        private long _drops;
        private long _rounds;
        private long _sampling;

        public long Frames { get; set; }

        public (long Frames, long Drops, long Cpu, long Allocated) Read()
        {
            lock (_lock)
            {
                return _sample;
            }
        }

        public void Sample()
        {
            if (_rounds++ % 32 != 0)
            {
                return;
            }

            // Reading the file allocates, so what was allocated is counted before it.
            long before = GC.GetAllocatedBytesForCurrentThread(),
                cpu = CpuNanos();
            lock (_lock)
            {
                _sample = (Frames, _drops, cpu, before - _sampling);
            }

            _sampling += GC.GetAllocatedBytesForCurrentThread() - before;
        }

        public void FrameArrived(int port, ReadOnlySpan<byte> frame, long now) => Frames++;

        public void RoomAgain(int port, long now) { }

        public void PortChanged(int port, bool isUp, int maxFrameLength, long now) { }

        public void FrameDropped(int port, DropReason reason) => _drops++;
    }
}
