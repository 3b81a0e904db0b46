using System.Globalization;
using CamCube.Runtime;
using CamCube.Runtime.Services;
using CamCube.Services.KeyValue.Log;
using CamCube.Simulator.Live;
using CamCube.Testing;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>A log on files of the machine.</summary>
public sealed class RealDiskTests : IDisposable
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(60);
    private static readonly LogOptions Options = new() { SegmentBytes = 64 << 10, BufferBytes = 16 << 10 };
    private readonly string _data = Directory.CreateTempSubdirectory("camcube-log-").FullName;

    [Fact]
    public async Task What_was_appended_in_one_process_is_found_by_the_next()
    {
        for (ulong run = 0; run < 3; run++)
        {
            await using LiveCube cube = Cube(0x7162, static a => new LogHolder(a.Server));
            await cube.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
            (LogState state, long records, int synced) = await cube.GateOf(0)
                .CallAsync<LogHolder, ulong, (LogState, long, int)>(static (h, first) => UseAsync(h, first), run * 40)
                .AsTask()
                .WaitAsync(Generous);
            Assert.Equal((LogState.Whole, (long)run * 40, 40), (state, records, synced));
        }

        Assert.True(Directory.EnumerateFiles(_data, "seg-*.log", SearchOption.AllDirectories).Count() > 3);
    }

    // CAMCUBE_LOG_RECORDS=1000000 measures: how long a start takes without hints, and with them.
    [Fact]
    public async Task Many_small_records_are_found_with_and_without_hints()
    {
        string? asked = Environment.GetEnvironmentVariable("CAMCUBE_LOG_RECORDS");
        int count = int.Parse(asked ?? "30000", CultureInfo.InvariantCulture);
        var options = new LogOptions
        {
            UsesHints = true,
            SegmentBytes = asked is null ? 1 << 20 : 64 << 20,
            BufferBytes = 256 << 10,
            CompactionBytesPerSecond = 1 << 30,
        };
        var lines = new List<string>();
        for (int run = 0; run < 4; run++)
        {
            await using LiveCube cube = Cube(0x7164, static a => new LogCounter(a.Server));
            await cube.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
            lines.Add(
                await cube.GateOf(0)
                    .CallAsync<LogCounter, (int, LogOptions, int), string>(
                        static (c, asked) => RunAsync(c, asked.Item1, asked.Item2, asked.Item3),
                        (run, options, count)
                    )
                    .AsTask()
                    .WaitAsync(Generous)
            );
        }

        TestContext.Current.TestOutputHelper!.WriteLine(string.Join('\n', lines));
    }

    [Fact]
    public async Task Of_two_processes_with_one_folder_the_second_keeps_no_part_of_the_store_and_says_why()
    {
        await using LiveCube first = Cube(0x0170, static a => new KeyValueService(a.Server, new KeyValueOptions()));
        await first.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        Assert.Equal(KeyValueStatus.Done, await PutAsync(first, "a"));
        await using LiveCube second = Cube(0x0170, static a => new KeyValueService(a.Server, new KeyValueOptions()));
        await second.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
        Assert.Equal(KeyValueStatus.Unavailable, await PutAsync(second, "b"));
        Assert.Equal("another process uses its files.", await FailureOf(second));
        Assert.Equal((KeyValueStatus.Done, (string?)null), (await PutAsync(first, "c"), await FailureOf(first)));

        static Task<KeyValueStatus> PutAsync(LiveCube cube, string key) =>
            cube.GateOf(0)
                .CallAsync<IKeyValueStore, string, KeyValueStatus>(
                    static async (store, key) =>
                        (await store.PutAsync(KeyValueKey.Of(key), new byte[9], default)).Status,
                    key
                )
                .AsTask()
                .WaitAsync(Generous);

        static Task<string?> FailureOf(LiveCube cube) =>
            cube.GateOf(0)
                .CallAsync<IKeyValueStore, int, string?>(static (store, _) => new(store.Failure), 0)
                .AsTask()
                .WaitAsync(Generous);
    }

    public void Dispose() => Directory.Delete(_data, recursive: true);

    private static async ValueTask<string> RunAsync(LogCounter counter, int run, LogOptions options, int count)
    {
        (LogOpening opening, double seconds) = await counter.OpenAsync(options, count).ConfigureAwait(true);
        Assert.Equal((LogState.Whole, run == 0 ? 0L : count), (opening.State, counter.Count));
        Assert.Equal(run == 3, opening.Hints > 0);
        if (run == 0)
        {
            await counter.FillAsync(opening.Log!, count, 100).ConfigureAwait(true);
        }
        else if (run == 2)
        {
            await counter.HintsAsync(opening.Log!, opening.Log!.Segments.All.Count).ConfigureAwait(true);
        }

        return $"run {run}: {counter.Count} records of 100 B found in {seconds:F3} s, {opening.Hints} hints";
    }

    private LiveCube Cube(ushort id, Func<ServiceActivation, CamCubeService> create) =>
        new(
            new TorusShape(1, 1, 1),
            [
                new ServiceDefinition
                {
                    Id = new ServiceId(id),
                    Name = "log",
                    Create = create,
                },
            ],
            new ServerOptions { DataFolder = _data },
            new NoEvents(),
            new LiveCubeOptions(),
            1,
            TimeProvider.System
        );

    private static async ValueTask<(LogState State, long Records, int Synced)> UseAsync(LogHolder holder, ulong first)
    {
        LogOpening opening = await LogOpener.OpenAsync(holder.Server, Options, holder).ConfigureAwait(true);
        StoreLog log = opening.Log!;
        for (ulong i = first + 1; i <= first + 40; i++)
        {
            byte[] value = LogBench.ValueOf(i, 3_000);
            while (!log.TryAppend(LogBench.RecordOf(i), LogBench.KeyOf(i), [7, 7], value, out _))
            {
                Assert.True(await holder.Server.DelayAsync(TimeSpan.FromMilliseconds(1)).ConfigureAwait(true));
            }
        }

        while (log.IsBehind)
        {
            Assert.True(await holder.Server.DelayAsync(TimeSpan.FromMilliseconds(1)).ConfigureAwait(true));
        }

        LogLocation last = holder.At[40];
        LogRead read = await log.ReadAsync(last, new byte[last.Length]).ConfigureAwait(true);
        Assert.Equal(LogBench.ValueOf(first + 40, 3_000), read.Value.ToArray());
        return (opening.State, opening.Records, holder.At.Count);
    }
}
