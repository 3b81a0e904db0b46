using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace CamCube.Benchmarks.Cables;

/// <summary>The single runs of the cable benchmark.</summary>
internal sealed class CableBench(Namespaces spaces, string yardstick, int mtu, double seconds)
{
    private const int Port = 7_000;
    private const string Row = "4x1x1";
    private readonly int _size = mtu + 14;

    /// <param name="way">How it receives: "ring", "pause", or nothing for recvmmsg.</param>
    public Figure NativeThroughput(params string[] way)
    {
        using Process receiver = Native("b", ["receive", "ba", Text(_size), Text(seconds), .. way]);
        Await(receiver);
        using Process sender = Native("a", "send", "ab", Text(_size), Text(seconds + 0.5));
        return Rate(Answer(sender), Answer(receiver));
    }

    /// <param name="paused">Whether forwarder and receiver have a ring and pauses.</param>
    public Figure NativeForwarding(bool paused)
    {
        string[] receive = ["receive", "cb", Text(_size), Text(seconds)],
            forward = ["forward", "ba", "bc", Text(seconds + 1)];
        using Process receiver = Native("c", paused ? [.. receive, "pause"] : receive);
        Await(receiver);
        using Process forwarder = Native("b", paused ? [.. forward, Text(_size)] : forward);
        Await(forwarder);
        using Process sender = Native("a", "send", "ab", Text(_size), Text(seconds + 0.5));
        return Rate(Answer(sender), Answer(forwarder), Answer(receiver));
    }

    public Figure KernelForwarding()
    {
        using Process receiver = Native("c", "udp-receive", Text(Port), Text(_size), Text(seconds));
        Await(receiver);
        using Process sender = Native("a", "udp-send", "10.9.2.2", Text(Port), Text(_size), Text(seconds + 0.5));
        return Rate(Answer(sender), Answer(receiver));
    }

    public Figure NativePing()
    {
        using Process echo = Pinned("b", "echo", "10.9.1.2", Text(Port));
        Await(echo);
        using Process ping = Pinned("a", "ping", "10.9.1.2", Text(Port), Text(_size - 42), Text(Pings));
        JsonElement answer = Answer(ping);
        echo.Kill();
        echo.WaitForExit();
        return new Figure(
            answer.GetProperty("medianMicros").GetDouble(),
            "us",
            0,
            string.Create(CultureInfo.InvariantCulture, $"p99 {answer.GetProperty("p99Micros").GetDouble():F0} us")
        );
    }

    public Figure Throughput(string[] settings)
    {
        using var a = Node("a", 0, "2x1x1", "+x=ab", settings);
        using var b = Node("b", 1, "2x1x1", "-x=ba", settings);
        a.AwaitLinks(1);
        b.AwaitLinks(1);
        return Measure([a, b], 1);
    }

    public Figure Forwarding(string[] settings)
    {
        using var a = Node("a", 0, Row, "+x=ab", settings);
        using var b = Node("b", 1, Row, "-x=ba,+x=bc", settings);
        using var c = Node("c", 2, Row, "-x=cb", settings);
        a.AwaitLinks(1);
        b.AwaitLinks(2);
        c.AwaitLinks(1);
        return Measure([a, b, c], 2);
    }

    public Figure Ping(string[] settings)
    {
        using var a = Node("a", 0, "2x1x1", "+x=ab", settings, ProcessorOf("a"));
        using var b = Node("b", 1, "2x1x1", "-x=ba", settings, ProcessorOf("b"));
        a.AwaitLinks(1);
        b.AwaitLinks(1);

        // The same frame length as the yardstick's; the first round warms up.
        string ask = string.Create(CultureInfo.InvariantCulture, $"ping 1 {Pings} {_size - Packet.FrameOverhead - 16}");
        a.Ask(ask);
        double before = a.CpuSeconds() + b.CpuSeconds(),
            start = Stopwatch.GetTimestamp();
        string[] answer = a.Ask(ask).Split(' ');
        double wall = (Stopwatch.GetTimestamp() - start) / Stopwatch.Frequency;
        return new Figure(
            double.Parse(answer[0], CultureInfo.InvariantCulture),
            "us",
            (a.CpuSeconds() + b.CpuSeconds() - before) / wall,
            $"p99 {answer[1]} us"
        );
    }

    private int Pings => seconds < 1 ? 2_000 : 10_000;

    private Figure Measure(CableProcess[] nodes, int destination)
    {
        nodes[0].Ask(string.Create(CultureInfo.InvariantCulture, $"start {destination} +x"));

        // The compiler optimises while it runs.
        Thread.Sleep(1_500);
        CableCount[] before = [.. nodes.Select(n => n.Count())];
        Thread.Sleep(TimeSpan.FromSeconds(seconds));
        CableCount[] after = [.. nodes.Select(n => n.Count())];
        nodes[0].Ask("stop");
        double wall = after[^1].Seconds - before[^1].Seconds;
        double packets = after[^1].Received - before[^1].Received;
        double[] cpu = [.. after.Zip(before, (x, y) => (x.CpuSeconds - y.CpuSeconds) / wall)];
        long allocated = after.Zip(before, (x, y) => x.Allocated - y.Allocated).Sum();
        return new Figure(
            packets / wall / 1e3,
            "k frames/s",
            cpu.Sum(),
            string.Create(
                CultureInfo.InvariantCulture,
                $"{Micros(cpu, packets / wall)}, {allocated / Math.Max(packets, 1):F2} B/frame"
            )
        );
    }

    private CableProcess Node(
        string place,
        int rank,
        string shape,
        string interfaces,
        string[] settings,
        int? processor = null
    ) =>
        new(
            spaces.Start(
                place,
                Environment.ProcessPath!,
                ["cables-node", Text(rank), shape, "Interfaces=" + interfaces, .. settings],
                processor
            )
        );

    private Process Native(string place, params string[] arguments) => spaces.Start(place, yardstick, arguments);

    private Process Pinned(string place, params string[] arguments) =>
        spaces.Start(place, yardstick, arguments, ProcessorOf(place));

    /// <summary>Two machines do not share a processor. Left alone, the two ends sometimes run on one, which a round
    /// trip then finds awake.
    /// </summary>
    private static int ProcessorOf(string place) => place == "a" ? 0 : 1;

    private static void Await(Process process)
    {
        if (process.StandardOutput.ReadLine() != "ready")
        {
            throw new InvalidOperationException("the yardstick is not ready");
        }
    }

    private static JsonElement Answer(Process process)
    {
        string text = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return JsonDocument.Parse(text).RootElement;
    }

    /// <summary>From the sender to the receiver.</summary>
    private static Figure Rate(params JsonElement[] programs)
    {
        JsonElement receiver = programs[^1];
        double wall = receiver.GetProperty("seconds").GetDouble();
        double[] cpu =
        [
            .. programs.Select(e => e.GetProperty("cpuSeconds").GetDouble() / e.GetProperty("seconds").GetDouble()),
        ];
        double rate = receiver.GetProperty("frames").GetInt64() / wall;
        return new Figure(rate / 1e3, "k frames/s", cpu.Sum(), Micros(cpu, rate));
    }

    /// <summary>Processor time per frame that arrived, for each process in the order of the frames' way.</summary>
    private static string Micros(double[] cores, double rate) =>
        string.Join('+', cores.Select(c => (c * 1e6 / Math.Max(rate, 1)).ToString("F2", CultureInfo.InvariantCulture)))
        + " us";

    private static string Text(double value) => value.ToString("0.###", CultureInfo.InvariantCulture);
}
