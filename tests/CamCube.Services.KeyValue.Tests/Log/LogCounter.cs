using System.Buffers.Binary;
using System.Diagnostics;
using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>The least that can have a log: it needs every record, and knows each by its number.</summary>
internal sealed class LogCounter(IServer server) : CamCubeService, ILogOwner, ILogIndex
{
    private readonly LogUsage _usage = new();
    private LogLocation[] _index = [];
    private ulong _next;

    /// <summary>Records that were found.</summary>
    public long Count { get; private set; }

    public long Synced { get; private set; }

    public override Verdict OnPacket(in HopContext hop, Packet packet) => Verdict.Consume;

    /// <summary>Opens the log, and says how long that took.</summary>
    public async ValueTask<(LogOpening Opening, double Seconds)> OpenAsync(LogOptions options, int most)
    {
        _index = new LogLocation[most];
        long begin = Stopwatch.GetTimestamp();
        LogOpening opening = await LogOpener.OpenAsync(server, options, this).ConfigureAwait(true);
        return (opening, Stopwatch.GetElapsedTime(begin).TotalSeconds);
    }

    /// <summary>Appends records until there are so many, and waits until they are synced.</summary>
    public async ValueTask FillAsync(StoreLog log, int count, int valueLength)
    {
        byte[] key = new byte[8],
            value = new byte[valueLength];
        ulong end = _next + (ulong)count;
        while (Synced < count)
        {
            while (_next < end)
            {
                BinaryPrimitives.WriteUInt64LittleEndian(key, _next);
                var record = new LogRecord { Kind = 1, Index = _next };
                if (!log.TryAppend(record, key, default, value, out _))
                {
                    break;
                }

                _next++;
            }

            Assert.True(await server.DelayAsync(TimeSpan.FromMilliseconds(1)).ConfigureAwait(true));
        }
    }

    /// <summary>Waits until so many hints are written.</summary>
    public async ValueTask HintsAsync(StoreLog log, int hints)
    {
        log.Tend(this);
        while (log.Counts.Hints < hints)
        {
            Assert.True(await server.DelayAsync(TimeSpan.FromMilliseconds(10)).ConfigureAwait(true));
        }
    }

    public void Found(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        LogLocation location
    ) => Take(key, location);

    public void FoundKey(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        int valueLength,
        LogLocation location
    ) => Take(key, location);

    public long Needed => _usage.Total;

    public long NeededBytes(uint segment) => _usage.Of(segment);

    public LogNeed NeedOf(in LogRecord record, ReadOnlySpan<byte> key, LogLocation location) => LogNeed.Copy;

    public void Moved(in LogRecord record, ReadOnlySpan<byte> key, LogLocation from, LogLocation to) =>
        throw new NotSupportedException();

    public void Dropped(in LogRecord record, ReadOnlySpan<byte> key, LogLocation location) =>
        throw new NotSupportedException();

    public void Rotten(uint segment, long from, long to) => throw new NotSupportedException();

    void ILogOwner.Synced(ulong first, ReadOnlySpan<LogLocation> locations)
    {
        foreach (LogLocation location in locations)
        {
            _usage.Add(location);
        }

        Synced += locations.Length;
    }

    public void Failed(DiskStatus status) => throw new InvalidOperationException($"{status}");

    private void Take(ReadOnlySpan<byte> key, LogLocation location)
    {
        _index[BinaryPrimitives.ReadUInt64LittleEndian(key)] = location;
        _usage.Add(location);
        Count++;
    }
}
