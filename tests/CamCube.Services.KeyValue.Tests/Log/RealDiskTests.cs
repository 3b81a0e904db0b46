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
            await using var cube = new LiveCube(
                new TorusShape(1, 1, 1),
                [
                    new ServiceDefinition
                    {
                        Id = new ServiceId(0x7162),
                        Name = "log",
                        Create = static a => new LogHolder(a.Server),
                    },
                ],
                new ServerOptions { DataFolder = _data },
                new NoEvents(),
                new LiveCubeOptions(),
                1,
                TimeProvider.System
            );
            await cube.StartAsync(CancellationToken.None).AsTask().WaitAsync(Generous);
            (LogState state, long records, int synced) = await cube.GateOf(0)
                .CallAsync<LogHolder, ulong, (LogState, long, int)>(static (h, first) => UseAsync(h, first), run * 40)
                .AsTask()
                .WaitAsync(Generous);
            Assert.Equal((LogState.Whole, (long)run * 40, 40), (state, records, synced));
        }

        Assert.True(Directory.EnumerateFiles(_data, "seg-*.log", SearchOption.AllDirectories).Count() > 3);
    }

    public void Dispose() => Directory.Delete(_data, recursive: true);

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
