using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using CamCube.Experiments.Figures;
using CamCube.Testbed;

namespace CamCube.Experiments.Cables;

/// <summary>
/// A testbed of its own for a measurement: real servers on veth cables, orders to their services, and samples of their
/// counters. Removed when it is disposed, also after Ctrl+C; what a killed process left is removed by <c>camcube
/// testbed down</c>. One thread.
/// </summary>
internal sealed class MeasuredTestbed : IDisposable
{
    private const int LongCallBytes = 1_000_000;

    // An order may ask for hundreds of calls, of which each that is lost takes its whole time.
    private static readonly TimeSpan StartTime = TimeSpan.FromMinutes(3),
        Patience = TimeSpan.FromMinutes(10);
    private static int _number;
    private readonly TestbedState _state;
    private readonly HttpClient[] _http;
    private readonly CancellationToken _cancel;

    private MeasuredTestbed(TestbedState state, CancellationToken cancel)
    {
        (_state, _cancel) = (state, cancel);
        Shape = state.Plan.Torus();
        _http = [.. state.Servers.Select(server => NamespaceHttp.Client(server.Namespace, Patience))];
    }

    /// <summary>The cube.</summary>
    public TorusShape Shape { get; }

    /// <summary>A name that no other testbed has.</summary>
    public static string NewName() => $"cc-fig4-{Environment.ProcessId}-{Interlocked.Increment(ref _number)}";

    /// <summary>Makes one and waits until its servers are ready.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="rateBitsPerSecond">Bits per second of each link, or 0: as fast as the machine is.</param>
    /// <param name="run">Whose; it ends at Ctrl+C.</param>
    /// <param name="settings">Further settings of every server, as in CamCube:Ethernet:Aggregate=false.</param>
    /// <exception cref="TestbedException">It cannot be made; nothing is left of it.</exception>
    public static MeasuredTestbed Start(
        TorusShape shape,
        long rateBitsPerSecond,
        FigureRun run,
        params IReadOnlyList<string> settings
    ) => Start(Plan(shape, "ethernet", rateBitsPerSecond, settings), run);

    /// <summary>The same with the tunnel on every server.</summary>
    public static MeasuredTestbed StartTunnelled(
        TorusShape shape,
        long rateBitsPerSecond,
        FigureRun run,
        params IReadOnlyList<string> settings
    ) => Start(Plan(shape, "ethernet", rateBitsPerSecond, settings) with { Tunnel = true }, run);

    private static MeasuredTestbed Start(TestbedPlan plan, FigureRun run)
    {
        // Everything is compiled once and well when it is first called, what was compiled ahead too. Otherwise the
        // servers of a whole cube, on few processors, go on compiling what runs often for a minute and more, and that
        // is most of the CPU time of a server that does little. It makes each start take seconds of CPU time, and a
        // small run does not judge such figures.
        string[] compiling = ["DOTNET_TieredCompilation=0", "DOTNET_ReadyToRun=0"];
        plan = plan with { Environment = run.ByScale([], compiling, compiling) };
        try
        {
            return new MeasuredTestbed(
                new TestbedBuilder(plan, _ => { }).BuildAsync(StartTime, run.Cancel).GetAwaiter().GetResult(),
                run.Cancel
            );
        }
        catch (TestbedException)
        {
            Remove(plan.Name);
            throw;
        }
    }

    /// <summary>What to make.</summary>
    public static TestbedPlan Plan(
        TorusShape shape,
        string shim,
        long rateBitsPerSecond,
        IReadOnlyList<string> settings
    ) =>
        new()
        {
            Name = NewName(),
            Shape = shape.ToString(),
            ParallelCables = shape.ParallelCables,
            Mtu = 9_000,
            RateBitsPerSecond = rateBitsPerSecond,
            Shim = shim,
            FixedPlaces = true,

            // Longer than any wait for a busy processor.
            Detection = "5s",
            Program = HostProgramFile.Find(null),
            Settings = ["AllowControl=true", .. settings],
        };

    /// <summary>Removes a testbed if it is there.</summary>
    public static void Remove(string name)
    {
        if (TestbedStore.Read(name) is { } state)
        {
            using TestbedStore store = TestbedStore.Open(name);
            TestbedRemover.Remove(store, state);
        }
    }

    /// <summary>Gives all servers' service an order at once.</summary>
    /// <param name="service">Name of the service.</param>
    /// <param name="order">Command and arguments, as in load?for=5s.</param>
    public void TellAll(string service, string order) => All(rank => PostAsync(rank, service, order));

    /// <summary>Gives one server's service an order. Answers what it says.</summary>
    public string Tell(int rank, string service, string order) => Wait(PostAsync(rank, service, order));

    /// <summary>Round trips of pings from the first server, in microseconds; a lost one is infinite.</summary>
    public IReadOnlyList<double> Ping(Coordinate to, int count, int size) => PingInTurn([to], count, size)[0];

    /// <summary>As <see cref="Ping"/>, to several servers, one ping to each in turn. Answers them by server.</summary>
    public IReadOnlyList<IReadOnlyList<double>> PingInTurn(IReadOnlyList<Coordinate> to, int count, int size)
    {
        string json = Tell(0, "diagnostics", $"ping?to={string.Join(';', to)}&count={count}&size={size}");
        using JsonDocument answer = JsonDocument.Parse(json);
        double[] micros =
        [
            .. answer
                .RootElement.GetProperty("replies")
                .EnumerateArray()
                .Select(reply =>
                    reply.GetProperty("answered").GetBoolean()
                        ? reply.GetProperty("roundTripMicros").GetDouble()
                        : double.PositiveInfinity
                ),
        ];
        return [.. to.Select((_, of) => micros.Where((_, i) => i % to.Count == of).ToArray())];
    }

    /// <summary>Calls of the first server's messenger to another's, one after the other, in microseconds; one without
    /// an answer is infinite.</summary>
    /// <param name="to">The other.</param>
    /// <param name="count">How many.</param>
    /// <param name="size">Bytes of each answer, and of a short call's question.</param>
    /// <param name="isLong">Whether the answer is written into a window that the question lends.</param>
    public IReadOnlyList<double> Call(Coordinate to, int count, int size, bool isLong)
    {
        string timeout = size < LongCallBytes ? "5s" : "60s",
            order = $"ping?to={to}&count={count}&size={size}&long={(isLong ? "true" : "false")}&timeout={timeout}",
            json = Tell(0, "messenger", order);
        using JsonDocument answer = JsonDocument.Parse(json);
        return
        [
            .. answer
                .RootElement.GetProperty("replies")
                .EnumerateArray()
                .Select(reply =>
                    reply.GetProperty("answered").GetBoolean()
                        ? reply.GetProperty("roundTripMicros").GetDouble()
                        : double.PositiveInfinity
                ),
        ];
    }

    /// <summary>What sockets take between the first server's machine and another's, through the tunnel.</summary>
    public SocketPair TunnelTo(Coordinate to)
    {
        int rank = Shape.RankOf(to);
        return new SocketPair(
            _state.Servers[0].Namespace,
            AddressOf(0),
            _state.Servers[rank].Namespace,
            AddressOf(rank)
        );

        static IPAddress AddressOf(int rank) => IPAddress.Parse($"10.77.{(rank + 1) / 256}.{(rank + 1) % 256}");
    }

    /// <summary>CPU seconds that a server's process has taken.</summary>
    public double CpuSecondsOf(int rank) => ProcessorTime.SecondsOf(_state.Servers[rank].Process!.Id);

    /// <summary>Counters of all servers, by rank.</summary>
    public IReadOnlyList<ServerSample> Sample() => All(SampleAsync);

    /// <summary>What all servers do for a while from now.</summary>
    public IReadOnlyList<ServerRates> Measure(TimeSpan time)
    {
        IReadOnlyList<ServerSample> before = Sample();
        Sleep(time);
        return [.. before.Zip(Sample(), ServerRates.Between)];
    }

    /// <summary>Ties every server, its process and its namespace, to a processor, neighbours of a ring to different
    /// ones.</summary>
    public void TieToProcessors()
    {
        for (int rank = 0; rank < _state.Servers.Count; rank++)
        {
            Processors.TieProcess(_state.Servers[rank].Process!.Id, rank);
            Processors.TieNamespace(_state.Servers[rank].Namespace, rank);
        }
    }

    /// <summary>Kills a server's process.</summary>
    public void Kill(int rank)
    {
        using var control = new TestbedControl(_state.Plan.Name);
        control.Signal(rank, ProcessSignals.Kill);
    }

    /// <summary>Starts a server that was killed, and waits until it is ready.</summary>
    public void Restart(int rank)
    {
        using var control = new TestbedControl(_state.Plan.Name);
        control.StartAsync(rank, StartTime, _cancel).GetAwaiter().GetResult();
    }

    /// <summary>Waits.</summary>
    public void Sleep(TimeSpan time) => Task.Delay(time, _cancel).GetAwaiter().GetResult();

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (HttpClient http in _http)
        {
            http.Dispose();
        }

        Remove(_state.Plan.Name);
    }

    private async Task<string> PostAsync(int rank, string service, string order)
    {
        using HttpResponseMessage answer = await _http[rank]
            .PostAsync($"/api/servers/self/services/{service}/{order}", null, _cancel);
        string text = await answer.Content.ReadAsStringAsync(_cancel);
        return answer.IsSuccessStatusCode ? text : throw new ExperimentException($"{service} {order}: {text}");
    }

    private async Task<ServerSample> SampleAsync(int rank)
    {
        JsonElement status = await _http[rank].GetFromJsonAsync<JsonElement>("/api/status", _cancel);
        double cpuSeconds = CpuSecondsOf(rank);
        JsonElement self = status
            .GetProperty("servers")
            .EnumerateArray()
            .Single(server => server.GetProperty("rank").GetInt32() == rank);
        JsonElement[] links = [.. self.GetProperty("links").EnumerateArray()];

        // By the server's own clock, which it reads as it reads its counters: on busy processors the question and the
        // answer take their time.
        return new ServerSample(
            status.GetProperty("uptimeSeconds").GetDouble(),
            cpuSeconds,
            links.Sum(link => Number(link, "sentPackets") + Number(link, "receivedPackets")),
            links.Sum(link => Number(link, "sentBytes") + Number(link, "receivedBytes")),
            self.GetProperty("services")
                .EnumerateArray()
                .ToDictionary(
                    service => service.GetProperty("name").GetString()!,
                    service => Number(service, "arrived")
                )
        );

        static long Number(JsonElement of, string name) => of.GetProperty(name).GetInt64();
    }

    /// <summary>Something for every server at once.</summary>
    private T[] All<T>(Func<int, Task<T>> ask) => Wait(Task.WhenAll(Enumerable.Range(0, _http.Length).Select(ask)));

    private T Wait<T>(Task<T> task)
    {
        try
        {
            return task.GetAwaiter().GetResult();
        }
        catch (Exception e)
            when (e is HttpRequestException or IOException
                || (e is OperationCanceledException && !_cancel.IsCancellationRequested)
            )
        {
            throw new ExperimentException($"a server of testbed {_state.Plan.Name} does not answer: {e.Message}");
        }
    }
}
