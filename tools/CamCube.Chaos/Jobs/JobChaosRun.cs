using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using CamCube.Chaos.Settings;
using CamCube.Chaos.Views;
using CamCube.Testbed;

namespace CamCube.Chaos.Jobs;

/// <summary>A run: a testbed with MapReduce, a job of each kind that nothing happens to, and then jobs with a fault in
/// each, whose output and counters have to be the same.</summary>
/// <param name="options">What it is like.</param>
/// <param name="progress">Gets a line per stage and job. Any thread.</param>
public sealed class JobChaosRun(JobChaosOptions options, Action<string> progress)
{
    private static readonly TimeSpan StartTime = TimeSpan.FromMinutes(4),
        Look = TimeSpan.FromMilliseconds(250),
        LookStore = TimeSpan.FromSeconds(1);
    private readonly List<string> _violations = [];
    private readonly Dictionary<JobFaultKind, int> _faults = [];
    private IReadOnlyList<string> _roots = [];
    private int _outputs;

    /// <summary>Runs it. The testbed is removed afterwards, also after Ctrl+C.</summary>
    /// <exception cref="TestbedException">There can be no testbed, its servers do not get ready, or what nothing
    /// happened to fails.</exception>
    public async Task<JobChaosResult> RunAsync(CancellationToken cancel)
    {
        return await ChaosTestbed
            .UseAsync(Plan(), StartTime, progress, state => RunAsync(state, cancel), cancel)
            .ConfigureAwait(false);
    }

    private TestbedPlan Plan() =>
        ChaosTestbed.Plan(
            options.Name,
            options.Shape,
            options.DiskBytes,
            options.Program,
            [
                "CamCube:AllowControl=true",
                "CamCube:Services:files:Enabled=true",
                "CamCube:Services:camdoop:Enabled=true",
                "CamCube:Services:camdoop:Programs=true",
                "CamCube:FrontEnds:kv-http:Enabled=false",
                "CamCube:FrontEnds:memcached:Enabled=false",
                "CamCube:FrontEnds:camdoop:Enabled=false",
                .. options.Settings,
            ]
        );

    private async Task<JobChaosResult> RunAsync(TestbedState state, CancellationToken cancel)
    {
        TorusShape shape = state.Plan.Torus();
        using var view = new StoreView(state);
        using var http = new JobHttp(state, options.JobTime);
        await SettleAsync(view, "at the beginning", cancel).ConfigureAwait(false);
        var input = new JobInput(shape, options.FileBytes, options.Seed);
        foreach (int home in input.Homes)
        {
            await http.PutAsync(input.PathOf(home), input.TextOf(home), cancel).ConfigureAwait(false);
        }

        Dictionary<string, JobEnd> undisturbed = [];
        // The first of each compiles what it runs, and takes its time for it.
        foreach (string kind in JobKinds.All.Concat(JobKinds.All))
        {
            JobEnd end = await RunJobAsync(http, kind, null, cancel).ConfigureAwait(false);
            if (end.Words is not null || end.Files.Count <= JobKinds.Reduces)
            {
                throw new TestbedException($"a job to which nothing happens has ended so: {end.Words}");
            }

            _violations.AddRange(
                end.Differences(undisturbed.GetValueOrDefault(kind, end)).Select(static line => $"undisturbed {line}")
            );
            undisturbed[kind] = end;
            progress(string.Create(CultureInfo.InvariantCulture, $"{kind}, undisturbed: {end.Seconds:0.0} s"));
        }

        List<JobEnd> jobs = [];
        using var control = new TestbedControl(options.Name);
        var tormentor = new JobTormentor(control, input, [.. _roots.Select(root => RankOf(state, root))]);
        var draw = new JobFaultDraw(options.Seed);
        for (int number = 0; number < options.Jobs; number++)
        {
            string kind = JobKinds.All[number % JobKinds.All.Count];
            JobFault fault = draw.Next();
            var course = new JobCourse(tormentor, fault, undisturbed[kind].Seconds);
            JobEnd end = await RunJobAsync(http, kind, course, cancel).ConfigureAwait(false);
            jobs.Add(end);
            if (course.IsBegun)
            {
                _faults[fault.Kind] = _faults.GetValueOrDefault(fault.Kind) + 1;
            }

            string[] wrong = [.. end.Differences(undisturbed[kind]).Select(line => $"{line} ({course.Words})")];
            _violations.AddRange(wrong);
            _violations.AddRange(tormentor.Ended().Select(server => $"server {server} ended by itself"));
            progress(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{number + 1, 3}  {kind}: {course.Words}: {end.Seconds:0.0} s; {end.Attempts}; "
                ) + (wrong.Length == 0 ? "the same" : $"DIFFERENT: {wrong[0]}")
            );
            await SettleAsync(view, $"after {end.Name}", cancel).ConfigureAwait(false);
        }

        return new JobChaosResult(_faults, jobs, undisturbed, _violations);
    }

    private async Task<JobEnd> RunJobAsync(JobHttp http, string kind, JobCourse? course, CancellationToken cancel)
    {
        string output = string.Create(CultureInfo.InvariantCulture, $"/out/{_outputs++}");
        long began = Stopwatch.GetTimestamp();
        string name = await http.BeginAsync(JobKinds.Describe(kind, output), cancel).ConfigureAwait(false);
        try
        {
            JsonElement state = default;
            string? words = null;
            for (string? phase = null; phase is not ("done" or "failed" or "cancelled"); )
            {
                course?.Step(name, Stopwatch.GetElapsedTime(began));
                if (Stopwatch.GetElapsedTime(began) > options.JobTime)
                {
                    words = $"it is {phase} after {options.JobTime.TotalSeconds:0} s";
                    return new JobEnd(name, 0, Empty<string>(), Empty<long>(), $"{state}", words);
                }

                await Task.Delay(Look, cancel).ConfigureAwait(false);
                state = await http.LookAsync("status", name, cancel).ConfigureAwait(false);
                phase = state.GetProperty("phase").GetString();
                words = phase == "done" ? null : $"{state}";
            }

            double seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
            JsonElement report = await http.LookAsync("report", name, cancel).ConfigureAwait(false);
            var end = new JobEnd(
                name,
                seconds,
                words is null ? await http.SumsAsync(output, cancel).ConfigureAwait(false) : Empty<string>(),
                state
                    .GetProperty("counters")
                    .EnumerateArray()
                    .ToDictionary(
                        static c => $"{c.GetProperty("group").GetString()}, {c.GetProperty("name").GetString()}",
                        static c => c.GetProperty("value").GetInt64()
                    ),
                $"{Attempts("map tasks", report.GetProperty("maps"))}, "
                    + Attempts("reduces", report.GetProperty("reduces")),
                words
            );
            if (course is null && words is null)
            {
                _roots = await http.RootsAsync(output, end.Files.Keys, cancel).ConfigureAwait(false);
            }

            await http.DeleteAsync(output, cancel).ConfigureAwait(false);
            return end;
        }
        finally
        {
            course?.End();
        }
    }

    private static int RankOf(TestbedState state, string coordinate) =>
        Enumerable.Range(0, state.Servers.Count).First(rank => state.Servers[rank].Coordinate == coordinate);

    private static Dictionary<string, T> Empty<T>() => [];

    // A job that was begun anew would have given all of its tasks twice.
    private static string Attempts(string what, JsonElement of) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{of.GetProperty("all").GetInt32()} attempts at {of.GetProperty("tasks").GetInt32()} {what}"
        );

    private async Task SettleAsync(StoreView view, string when, CancellationToken cancel)
    {
        long began = Stopwatch.GetTimestamp();
        while (await view.WhyNotSettledAsync(cancel).ConfigureAwait(false) is { } why)
        {
            if (Stopwatch.GetElapsedTime(began) > options.SettleTime)
            {
                throw new TestbedException($"not settled {options.SettleTime.TotalSeconds:0} s {when}: {why}.");
            }

            await Task.Delay(LookStore, cancel).ConfigureAwait(false);
        }
    }
}
