using System.Diagnostics;
using System.Globalization;
using System.Net.Http.Json;
using System.Text.Json;
using System.Text.Json.Serialization;
using CamCube.Experiments.Cables;
using CamCube.Experiments.Camdoop;
using CamCube.Experiments.Figures;
using CamCube.Services.Camdoop;
using CamCube.Testbed;

namespace CamCube.Experiments.Shuffles;

/// <summary>
/// A testbed of its own with MapReduce on every server, on cables or at a switch. Its files have one copy each, in
/// memory: input is where its map task runs, and output where its reduce does, so that what crosses cables is the
/// shuffle. Removed when it is disposed. One thread.
/// </summary>
internal sealed class JobTestbed : IDisposable
{
    private const int FilesPort = 8400;
    private const int SwitchMtu = 1_500;

    // Processors that all servers take together when nobody wants anything.
    private const double Quiet = 0.5;
    private static readonly TimeSpan StartTime = TimeSpan.FromMinutes(4),
        Patience = TimeSpan.FromMinutes(2),
        Look = TimeSpan.FromMilliseconds(500);
    private static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web)
    {
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
    };

    // Few processors have many servers here, and what waits for a slow link waits long: who is late is not away.
    private static readonly string[] Settings =
    [
        "AllowControl=true",
        "DataFolder=data",
        "Services:kv:Enabled=true",
        "Services:kv:Tables:0=1=1,storage=memory",
        "Services:kv:Silence=20s",
        "Services:kv:SlowAfter=40s",
        "Services:kv:Timeout=30s",
        "Services:files:Enabled=true",
        "Services:files:Table=1",
        "Services:camdoop:Enabled=true",
        "Services:camdoop:AnswerTime=5s",
        "FrontEnds:kv-http:Enabled=false",
        "FrontEnds:memcached:Enabled=false",
        "FrontEnds:camdoop:Enabled=false",
    ];

    private readonly TestbedState _state;
    private readonly FigureRun _run;
    private readonly HttpClient[] _http;
    private readonly HttpClient[] _files;
    private int _jobs;

    private JobTestbed(TestbedState state, FigureRun run)
    {
        (_state, _run, Shape) = (state, run, state.Plan.Torus());
        _http = [.. state.Servers.Select(server => NamespaceHttp.Client(server.Namespace, Patience))];
        _files = [.. state.Servers.Select(server => NamespaceHttp.Client(server.Namespace, Patience, FilesPort))];
    }

    /// <summary>The cube.</summary>
    public TorusShape Shape { get; }

    /// <summary>Makes one, and waits until its file store answers.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="shim">ethernet or switch.</param>
    /// <param name="rateBitsPerSecond">Of each link, or port of the switch.</param>
    /// <param name="run">Whose; it ends at Ctrl+C.</param>
    /// <exception cref="TestbedException">It cannot be made; nothing is left of it.</exception>
    public static JobTestbed Start(TorusShape shape, string shim, long rateBitsPerSecond, FigureRun run)
    {
        // Packets wait where they are marked, and not in the kernel; and at a switch, where all that is for one server
        // is in one line, what a question stands behind is short, in frames as long as those of the switch.
        string[] ofShim =
            shim == "switch"
                ?
                [
                    "Switch:SilenceTime=60s",
                    "Switch:QueueBytes=16384",
                    "Switch:MaxFrameLength=1514",
                    "Switch:FullTime=2s",
                ]
                : ["Ethernet:SendBuffer=10000"];
        TestbedPlan plan = MeasuredTestbed.Plan(shape, shim, rateBitsPerSecond, [.. Settings, .. ofShim]);
        plan = plan with
        {
            Detection = "20s",

            // TCP has two frames of each sender under way at least, so that what waits in a port of the switch would
            // be a second long with frames as long as those of cables.
            Mtu = shim == "switch" ? SwitchMtu : plan.Mtu,

            // What a link has let through in a pause is nothing of a shuffle.
            BurstBytes = 10_000,
        };
        try
        {
            TestbedState state = new TestbedBuilder(plan, static _ => { })
                .BuildAsync(StartTime, run.Cancel)
                .GetAwaiter()
                .GetResult();
            var testbed = new JobTestbed(state, run);
            try
            {
                testbed.AwaitStore();
                testbed.AwaitQuiet();
                return testbed;
            }
            catch
            {
                testbed.Dispose();
                throw;
            }
        }
        catch (TestbedException)
        {
            MeasuredTestbed.Remove(plan.Name);
            throw;
        }
    }

    /// <summary>Puts a file of input at each server.</summary>
    /// <param name="input">The files, as many as there are servers.</param>
    /// <param name="folder">Where they are to be, as in /in.</param>
    public void Put(IShuffleInput input, string folder)
    {
        for (int file = 0; file < input.Files; file++)
        {
            byte[] bytes = BytesOf(input, file);
            string path = PathAt(folder, file);
            Wait(async () =>
            {
                using var body = new ByteArrayContent(bytes);
                using HttpResponseMessage answer = await _files[file].PutAsync($"/files{path}", body, _run.Cancel);
                await CheckAsync(answer, path);
                return true;
            });
        }
    }

    /// <summary>Runs a job to its end, and looks at what it gives.</summary>
    /// <param name="input">What is in its input.</param>
    /// <param name="folder">Where that is.</param>
    /// <param name="job">What to do with it.</param>
    /// <exception cref="ExperimentException">It failed, or its output is wrong.</exception>
    public CableJob Run(IShuffleInput input, string folder, ShuffleJob job)
    {
        string output = string.Create(CultureInfo.InvariantCulture, $"/out/{_jobs++}");
        JobDescription description = input.Describe(
            new JobDescription([folder], output)
            {
                Reduces = job.Reduces,
                CombinesOnTheWay = job.Combines,
                FirstRoot = job.FirstRoot,
                Trees = job.Trees,

                // None is slow but for its links.
                RepeatsSlowMaps = false,
                RepeatsSlowReduces = false,
            }
        );
        double before = CpuSeconds();
        long began = Stopwatch.GetTimestamp();
        string name = Ask("run", JsonContent.Create(description, options: Json)).GetProperty("name").GetString()!;
        JsonElement state;
        do
        {
            Sleep(Look);
            state = Ask($"status?job={name}");
        } while (state.GetProperty("phase").GetString() is not ("done" or "failed" or "cancelled"));

        double processors = (CpuSeconds() - before) / Stopwatch.GetElapsedTime(began).TotalSeconds;
        if (state.GetProperty("phase").GetString() != "done")
        {
            throw new ExperimentException($"{name} has ended: {state.GetProperty("words")}");
        }

        CheckOutput(input, output, job.Reduces);
        JsonElement report = Ask($"report?job={name}");
        return new CableJob(
            TimeSpan
                .Parse(report.GetProperty("times").GetProperty("reducing").GetString()!, CultureInfo.InvariantCulture)
                .TotalSeconds,
            report.GetProperty("bytes").GetProperty("intermediate").GetInt64(),
            processors
        );
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (HttpClient http in (HttpClient[])[.. _http, .. _files])
        {
            http.Dispose();
        }

        MeasuredTestbed.Remove(_state.Plan.Name);
    }

    private double CpuSeconds() => _state.Servers.Sum(static server => ProcessorTime.SecondsOf(server.Process!.Id));

    // The only chunk of a file has its home where the path has its own.
    private string PathAt(string folder, int rank)
    {
        for (int drawn = 0; ; drawn++)
        {
            string path = string.Create(CultureInfo.InvariantCulture, $"{folder}/{rank:0000}-{drawn}");
            if (Shape.RankOf(Key.OfName(path).HomeIn(Shape)) == rank)
            {
                return path;
            }
        }
    }

    private static byte[] BytesOf(IShuffleInput input, int file)
    {
        byte[] bytes = new byte[input.LengthOf(file)];
        Func<Memory<byte>, int> open = input.Open(file);
        for (int length = 0; length < bytes.Length; )
        {
            // Never less room than a line may need.
            byte[] part = new byte[Math.Max(bytes.Length - length, 0) + (64 << 10)];
            int got = open(part);
            part.AsSpan(0, got).CopyTo(bytes.AsSpan(length));
            length += got;
        }

        return bytes;
    }

    private void CheckOutput(IShuffleInput input, string output, int reduces)
    {
        (long lines, UInt128 sum) = (0, 0);
        for (int reduce = 0; reduce < reduces; reduce++)
        {
            string path = string.Create(CultureInfo.InvariantCulture, $"{output}/part-{reduce:00000}");
            byte[] bytes = Wait(() => ReadAsync(path));
            var part = new MadeOutput(input, path, null, 0);
            part.Add(bytes, 0);
            if (part.IsWrong)
            {
                throw new ExperimentException($"{path} is not in order, or has lines that are none.");
            }

            (lines, sum) = (lines + part.Lines, sum + part.Sum);
        }

        if (input.WrongOf(lines, sum, [.. Enumerable.Range(0, input.Files)]) is { } wrong)
        {
            throw new ExperimentException($"{output} is wrong: {wrong}.");
        }
    }

    // Through the server that has it, so that no link is asked for it.
    private async Task<byte[]> ReadAsync(string path)
    {
        JsonElement facts = await _files[0].GetFromJsonAsync<JsonElement>($"/files{path}?facts", _run.Cancel);
        string home = facts.GetProperty("chunkList")[0].GetProperty("servers")[0].GetString()!;
        int rank = Coordinate.TryParse(home, out Coordinate at) ? Shape.RankOf(at) : 0;
        return await _files[rank].GetByteArrayAsync($"/files{path}", _run.Cancel);
    }

    private void AwaitStore()
    {
        long began = Stopwatch.GetTimestamp();
        foreach (HttpClient http in _files)
        {
            while (!Wait(() => AnswersAsync(http)))
            {
                if (Stopwatch.GetElapsedTime(began) > StartTime)
                {
                    throw new TestbedException($"no file store after {StartTime.TotalSeconds} s.");
                }
            }
        }
    }

    private async Task<bool> AnswersAsync(HttpClient http)
    {
        try
        {
            using HttpResponseMessage answer = await http.GetAsync("/files/", _run.Cancel);
            if (answer.IsSuccessStatusCode)
            {
                return true;
            }
        }
        catch (Exception e) when (e is HttpRequestException or IOException)
        {
            // Not yet.
        }

        await Task.Delay(Look, _run.Cancel);
        return false;
    }

    // Servers that have just started compile what they run, and do not answer each other in time.
    private void AwaitQuiet()
    {
        TimeSpan slice = TimeSpan.FromSeconds(3);
        long began = Stopwatch.GetTimestamp();
        for (double busy = double.MaxValue; busy > Quiet && Stopwatch.GetElapsedTime(began) < StartTime; )
        {
            double before = CpuSeconds();
            Sleep(slice);
            busy = (CpuSeconds() - before) / slice.TotalSeconds;
        }
    }

    private void Sleep(TimeSpan time) =>
        Wait(async () =>
        {
            await Task.Delay(time, _run.Cancel);
            return true;
        });

    // A job is begun once; how it is doing is asked until somebody says it.
    private JsonElement Ask(string order, HttpContent? body = null) =>
        Wait(async () =>
        {
            long began = Stopwatch.GetTimestamp();
            for (; ; )
            {
                using HttpResponseMessage answer = await _http[0]
                    .PostAsync($"/api/servers/self/services/camdoop/{order}", body, _run.Cancel);
                if (answer.IsSuccessStatusCode)
                {
                    return await answer.Content.ReadFromJsonAsync<JsonElement>(_run.Cancel);
                }

                if (body is not null || Stopwatch.GetElapsedTime(began) > Patience)
                {
                    await CheckAsync(answer, order);
                }

                await Task.Delay(Look, _run.Cancel);
            }
        });

    private async Task CheckAsync(HttpResponseMessage answer, string what)
    {
        if (!answer.IsSuccessStatusCode)
        {
            throw new ExperimentException($"{what}: {await answer.Content.ReadAsStringAsync(_run.Cancel)}");
        }
    }

    private T Wait<T>(Func<Task<T>> task)
    {
        try
        {
            return task().GetAwaiter().GetResult();
        }
        catch (Exception e)
            when (e is HttpRequestException or IOException
                || (e is OperationCanceledException && !_run.Cancel.IsCancellationRequested)
            )
        {
            throw new ExperimentException($"a server of testbed {_state.Plan.Name} does not answer: {e.Message}");
        }
    }
}
