using System.Text;
using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>A store of keys on a log, as small as can be: an index in memory, deletes that stay until they are passed,
/// and a state of which only the newest counts.</summary>
internal sealed class LogModel(IServer server, LogHistory history) : CamCubeService, ILogOwner, ILogIndex
{
    public const byte Put = 1,
        Delete = 2,
        State = 3;
    private readonly Dictionary<ulong, (string Key, ulong Index, byte Kind, int Length, long At)> _waiting = [];
    private long _askedAt;
    private int _asked;
    private long _movedAt;
    private int _moved;

    /// <summary>By key the newest put or delete; the state under an empty key.</summary>
    public Dictionary<string, (ulong Index, int Length, LogLocation At)> Index { get; } = [];

    public LogUsage Usage { get; } = new();

    public LogOpening? Opening { get; private set; }

    public StoreLog Log => Opening!.Log!;

    public DiskStatus? Failure { get; private set; }

    /// <summary>What was told to be rotten.</summary>
    public List<(uint Segment, long From, long To)> Told { get; } = [];

    /// <summary>Whether rotten records are written anew, as if another member had them.</summary>
    public bool Repairs { get; set; } = true;

    public int Refused { get; private set; }

    public int Repaired { get; private set; }

    /// <summary>Most records that were asked for at one moment.</summary>
    public int MostAsked { get; private set; }

    /// <summary>Most copies that it was told of at one moment.</summary>
    public int MostMoved { get; private set; }

    /// <summary>Nanoseconds from an append to its sync, of each.</summary>
    public List<long> Took { get; } = [];

    public override Verdict OnPacket(in HopContext hop, Packet packet) => Verdict.Consume;

    public void Open(LogOptions options) =>
        server.Loop.Run(async () =>
        {
            LogOpening opening = await LogOpener.OpenAsync(server, options, this).ConfigureAwait(true);
            Opening = opening;
            opening.Log?.Tend(this);
        });

    /// <summary>A put, or a delete if the length is negative.</summary>
    public LogAnswer Write(string key, int length, LogUse use = LogUse.Needed)
    {
        ulong index = history.Last + 1;
        byte kind =
            key.Length == 0 ? State
            : length < 0 ? Delete
            : Put;
        byte[] value = length < 0 ? [] : LogBench.ValueOf(index, length);
        var record = new LogRecord { Kind = kind, Index = index };
        LogAnswer answer = Log.Append(record, Encoding.UTF8.GetBytes(key), [], value, use, out ulong ticket);
        if (answer == LogAnswer.Taken)
        {
            history.Wrote(key, history.Next(), length);
            _waiting.Add(ticket, (key, index, kind, length, server.NowNanos));
        }
        else
        {
            Refused++;
        }

        return answer;
    }

    public void Found(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        LogLocation location
    )
    {
        if (record.Kind != Delete)
        {
            Assert.Equal(LogBench.ValueOf(record.Index, value.Length), value.ToArray());
        }

        Take(Encoding.UTF8.GetString(key), record.Index, record.Kind == Delete ? -1 : value.Length, location);
    }

    public void FoundKey(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        int valueLength,
        LogLocation location
    )
    {
        Assert.NotEqual(0, valueLength);
        Take(Encoding.UTF8.GetString(key), record.Index, valueLength, location);
    }

    public void Synced(ulong first, ReadOnlySpan<LogLocation> locations)
    {
        foreach (LogLocation location in locations)
        {
            Assert.True(_waiting.Remove(first++, out var waiting));
            Take(waiting.Key, waiting.Index, waiting.Length, location);
            history.Synced(waiting.Key, waiting.Index);
            Took.Add(server.NowNanos - waiting.At);
        }
    }

    public void Failed(DiskStatus status) => Failure = status;

    public long Needed => Usage.Total;

    public long NeededBytes(uint segment) => Usage.Of(segment);

    public LogNeed NeedOf(in LogRecord record, ReadOnlySpan<byte> key, LogLocation location)
    {
        _asked = server.NowNanos == _askedAt ? _asked + 1 : 1;
        _askedAt = server.NowNanos;
        MostAsked = Math.Max(MostAsked, _asked);
        string name = Encoding.UTF8.GetString(key);
        if (!Index.TryGetValue(name, out var entry) || entry.At != location)
        {
            return LogNeed.None;
        }

        return record.Kind switch
        {
            Delete => record.Index <= history.Passed ? LogNeed.PassedDelete : LogNeed.Copy,
            State => Write("", 20) == LogAnswer.Taken ? LogNeed.Rewritten : LogNeed.Later,
            _ => LogNeed.Copy,
        };
    }

    public void Moved(in LogRecord record, ReadOnlySpan<byte> key, LogLocation from, LogLocation to)
    {
        _moved = server.NowNanos == _movedAt ? _moved + 1 : 1;
        _movedAt = server.NowNanos;
        MostMoved = Math.Max(MostMoved, _moved);
        string name = Encoding.UTF8.GetString(key);
        if (Index.TryGetValue(name, out var entry) && entry.At == from)
        {
            Usage.Remove(from);
            Usage.Add(to);
            Index[name] = entry with { At = to };
        }
    }

    public void Dropped(in LogRecord record, ReadOnlySpan<byte> key, LogLocation location)
    {
        Assert.True(Index.Remove(Encoding.UTF8.GetString(key), out var entry));
        Assert.Equal((record.Index, -1, location), entry);
        Usage.Remove(location);
    }

    public void Rotten(uint segment, long from, long to)
    {
        Told.Add((segment, from, to));
        if (Repairs)
        {
            server.Loop.Run(() => Repair(segment, from, to));
        }
    }

    // Not what was there, but something newer: the model has no other members.
    private async ValueTask Repair(uint segment, long from, long to)
    {
        foreach ((string key, (_, int length, LogLocation at)) in Index.ToArray())
        {
            if (at.Segment != segment || at.Offset >= to || at.Offset + at.Length <= from)
            {
                continue;
            }

            byte[] bytes = new byte[at.Length];
            LogRead read = await Log.ReadAsync(at, bytes).ConfigureAwait(true);
            bool isThere = read.Status == DiskStatus.Done;
            while (isThere && !Log.HasEnded && Index.TryGetValue(key, out var entry) && entry.At == at)
            {
                if (read.IsRotten ? Write(key, length) == LogAnswer.Taken : Log.TryCopy(bytes, at))
                {
                    Repaired += read.IsRotten ? 1 : 0;
                    break;
                }

                if (!await server.DelayAsync(TimeSpan.FromMilliseconds(1)).ConfigureAwait(true))
                {
                    return;
                }
            }
        }
    }

    private void Take(string key, ulong index, int length, LogLocation location)
    {
        if (Index.TryGetValue(key, out var before))
        {
            if (before.Index > index)
            {
                return;
            }

            Usage.Remove(before.At);
        }

        Usage.Add(location);
        Index[key] = (index, length, location);
    }
}
