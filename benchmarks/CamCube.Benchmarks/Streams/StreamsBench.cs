using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using CamCube.Benchmarks.Cables;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Streams;

/// <summary>The single runs of the stream benchmark, between two namespaces that a veth pair joins.</summary>
/// <param name="spaces">A row of namespaces.</param>
/// <param name="seconds">How long a rate is measured.</param>
/// <param name="tcp">The program on TCP, for what is measured of it.</param>
/// <param name="udp">The program on UDP, for what is measured of it.</param>
internal sealed class StreamsBench(Namespaces spaces, double seconds = 0, string tcp = "", string udp = "")
{
    private const int Port = 7_000;
    private const string Address = "10.9.1.2";

    // The compiler optimises while it runs; TCP's window opens.
    private const double WarmSeconds = 2;
    private const int Pings = 10_000;

    /// <summary>Bytes of bodies that arrive, of raw frames or of a stream.</summary>
    /// <param name="what">"raw" or "stream".</param>
    /// <param name="percentLost">Of the packets of each end.</param>
    public StreamFigure Cube(string what, int percentLost = 0)
    {
        using var pair = new Pair(this, percentLost);
        pair.A.Ask($"{what} start");
        Thread.Sleep(TimeSpan.FromSeconds(WarmSeconds));
        CableCount[] before = [pair.A.Count(), pair.B.Count()];
        Thread.Sleep(TimeSpan.FromSeconds(seconds));
        CableCount[] after = [pair.A.Count(), pair.B.Count()];
        pair.A.Ask($"{what} stop");
        double wall = after[1].Seconds - before[1].Seconds;
        return new StreamFigure(
            (after[1].Received - before[1].Received) / wall,
            (after[0].CpuSeconds - before[0].CpuSeconds) / (after[0].Seconds - before[0].Seconds),
            (after[1].CpuSeconds - before[1].CpuSeconds) / wall,
            after[0].Lost - before[0].Lost
        );
    }

    /// <summary>Bytes that arrive by TCP.</summary>
    /// <param name="hasOffloads">Whether segmentation and coalescing are on.</param>
    public StreamFigure Tcp(bool hasOffloads)
    {
        Offloads(hasOffloads);
        using Process receiver = spaces.Start("b", tcp, ["receive", Text(Port), Text(WarmSeconds), Text(seconds)], 1);
        Await(receiver);
        using Process sender = spaces.Start("a", tcp, ["send", Address, Text(Port), Text(WarmSeconds + seconds)], 0);
        JsonElement received = Answer(receiver),
            sent = Answer(sender);
        Offloads(true);
        return new StreamFigure(
            PerSecond(received, "bytes"),
            PerSecond(sent, "cpuSeconds"),
            PerSecond(received, "cpuSeconds")
        );
    }

    /// <summary>Median of round trips by blocking UDP sockets, in microseconds.</summary>
    public StreamFigure UdpPing(int size)
    {
        using Process echo = spaces.Start("b", udp, ["echo", Address, Text(Port)], 1);
        Await(echo);
        using Process ping = spaces.Start("a", udp, ["ping", Address, Text(Port), Text(size), Text(Pings)], 0);
        double median = Answer(ping).GetProperty("medianMicros").GetDouble();
        echo.Kill();
        echo.WaitForExit();
        return new StreamFigure(median);
    }

    /// <summary>Median of round trips, in microseconds.</summary>
    /// <param name="what">"stream", "message" or "sum".</param>
    /// <param name="size">Bytes there, and back.</param>
    public StreamFigure CubePing(string what, int size)
    {
        using var pair = new Pair(this, 0);
        string ask = string.Create(CultureInfo.InvariantCulture, $"ping {what} {Pings} {size}");
        pair.A.Ask(ask);
        return new StreamFigure(double.Parse(pair.A.Ask(ask).Split(' ')[0], CultureInfo.InvariantCulture), 0, 0);
    }

    private static void Await(Process process)
    {
        if (process.StandardOutput.ReadLine() != "ready")
        {
            throw new InvalidOperationException("the C program is not ready");
        }
    }

    private static JsonElement Answer(Process process)
    {
        string text = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return JsonDocument.Parse(text).RootElement;
    }

    private static double PerSecond(JsonElement answer, string what) =>
        answer.GetProperty(what).GetDouble() / answer.GetProperty("seconds").GetDouble();

    private static string Text(double value) => value.ToString("0.###", CultureInfo.InvariantCulture);

    private void Offloads(bool areOn)
    {
        foreach ((string place, string port) in new[] { ("a", "ab"), ("b", "ba") })
        {
            using Process set = spaces.Start(place, tcp, ["offloads", port, areOn ? "1" : "0"]);
            set.WaitForExit();
            if (set.ExitCode != 0)
            {
                throw new InvalidOperationException($"offloads of {port} cannot be set");
            }
        }
    }

    /// <summary>Two servers on the cable.</summary>
    private sealed class Pair : IDisposable
    {
        public Pair(StreamsBench bench, int percentLost)
        {
            (A, B) = (bench.Node("a", 0, "+x=ab"), bench.Node("b", 1, "-x=ba"));
            A.AwaitServers(2);
            B.AwaitServers(2);
            if (percentLost > 0)
            {
                A.Ask(string.Create(CultureInfo.InvariantCulture, $"lose {percentLost}"));
                B.Ask(string.Create(CultureInfo.InvariantCulture, $"lose {percentLost}"));
            }
        }

        public CableProcess A { get; }

        public CableProcess B { get; }

        public void Dispose()
        {
            A.Dispose();
            B.Dispose();
        }
    }

    private CableProcess Node(string place, int rank, string interfaces) =>
        new(
            spaces.Start(
                place,
                Environment.ProcessPath!,
                ["streams-node", rank.ToString(CultureInfo.InvariantCulture), "Interfaces=" + interfaces],
                rank,
                compilesOnce: true
            )
        );
}
