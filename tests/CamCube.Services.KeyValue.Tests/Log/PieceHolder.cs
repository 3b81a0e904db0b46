using System.Text;
using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Tests.Log;

/// <summary>A store of long values on a log: entries that name pieces.</summary>
internal sealed class PieceHolder : CamCubeService, ILogOwner, ILogIndex
{
    private const byte Entry = 1,
        Piece = 9;
    private readonly IServer _server;
    private readonly LogUsage _usage = new();
    private readonly Dictionary<ulong, (PieceId Id, int Number)> _waiting = [];
    private readonly Dictionary<ulong, (string Key, PieceList List, ulong Index)> _entries = [];
    private ulong _last;

    public PieceHolder(IServer server)
    {
        _server = server;
        Pieces = new LogPieces(_usage, Piece);
    }

    public LogPieces Pieces { get; }

    public LogOpening? Opening { get; private set; }

    public StoreLog Log => Opening!.Log!;

    /// <summary>Writes that have ended.</summary>
    public int Written { get; private set; }

    public long Needed => _usage.Total;

    public Dictionary<string, (PieceList List, ulong Index, LogLocation At)> Index { get; } = [];

    public override Verdict OnPacket(in HopContext hop, Packet packet) => Verdict.Consume;

    public void Open(LogOptions options) =>
        _server.Loop.Run(async () =>
        {
            LogOpening opening = await LogOpener.OpenAsync(_server, options, this).ConfigureAwait(true);
            Pieces.DropUnnamed();
            Opening = opening;
            opening.Log?.Tend(this);
        });

    /// <summary>Writes a value under an id; without its entry if it is not to be named.</summary>
    public void Write(string key, ulong id, byte[] value, bool isNamed = true) =>
        _server.Loop.Run(() => WriteAsync(key, new PieceId(id, 7), value, isNamed));

    /// <summary>Reads on the loop: what awaits what itself awaits must.</summary>
    public void Read(PieceList list, long offset, Memory<byte> into, Action<PieceRead> done) =>
        _server.Loop.Run(async () =>
            done(await Pieces.ReadAsync(Log, list, offset, into, new byte[LogPieces.BufferBytes]).ConfigureAwait(true))
        );

    public void Found(
        in LogRecord record,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> extra,
        ReadOnlySpan<byte> value,
        LogLocation location
    )
    {
        if (record.Kind == Piece)
        {
            Assert.True(Pieces.Place(key, location));
        }
        else
        {
            Take(Encoding.UTF8.GetString(key), PieceList.Read(value)!, record.Index, location);
        }
    }

    public void Synced(ulong first, ReadOnlySpan<LogLocation> locations)
    {
        foreach (LogLocation location in locations)
        {
            if (_waiting.Remove(first, out var piece))
            {
                Pieces.Place(piece.Id, piece.Number, location);
            }
            else if (_entries.Remove(first, out var entry))
            {
                Take(entry.Key, entry.List, entry.Index, location);
                Written++;
            }

            first++;
        }
    }

    public void Failed(DiskStatus status) => Assert.Fail($"{status}");

    public long NeededBytes(uint segment) => _usage.Of(segment);

    public LogNeed NeedOf(in LogRecord record, ReadOnlySpan<byte> key, LogLocation location) =>
        record.Kind == Piece ? Pieces.NeedOf(key, location)
        : Index.TryGetValue(Encoding.UTF8.GetString(key), out var entry) && entry.At == location ? LogNeed.Copy
        : LogNeed.None;

    public void Moved(in LogRecord record, ReadOnlySpan<byte> key, LogLocation from, LogLocation to)
    {
        string name = Encoding.UTF8.GetString(key);
        if (record.Kind == Piece)
        {
            Pieces.Moved(key, from, to);
        }
        else if (Index.TryGetValue(name, out var entry) && entry.At == from)
        {
            _usage.Remove(from);
            _usage.Add(to);
            Index[name] = entry with { At = to };
        }
    }

    public void Dropped(in LogRecord record, ReadOnlySpan<byte> key, LogLocation location) => Assert.Fail();

    public void Rotten(uint segment, long from, long to) { }

    private async ValueTask WriteAsync(string key, PieceId id, byte[] value, bool isNamed)
    {
        Pieces.Hold(id);
        var sums = new List<uint>();
        for (int at = 0; at < value.Length; at += PieceList.PieceBytes)
        {
            Memory<byte> piece = value.AsMemory(at, Math.Min(PieceList.PieceBytes, value.Length - at));
            ulong ticket;
            while (Pieces.Append(Log, 0, id, sums.Count, piece.Span, out ticket) != LogAnswer.Taken)
            {
                if (!await _server.DelayAsync(TimeSpan.FromMilliseconds(1)).ConfigureAwait(true))
                {
                    return;
                }
            }

            _waiting.Add(ticket, (id, sums.Count));
            sums.Add(PieceList.SumOf(piece.Span));
        }

        var list = new PieceList(id, value.Length, sums);
        while (!Pieces.IsWhole(list))
        {
            if (!await _server.DelayAsync(TimeSpan.FromMilliseconds(1)).ConfigureAwait(true))
            {
                return;
            }
        }

        if (!isNamed)
        {
            Written++;
            return;
        }

        ulong index = ++_last;
        var record = new LogRecord { Kind = Entry, Index = index };
        Assert.True(Log.TryAppend(record, Encoding.UTF8.GetBytes(key), default, list.ToBytes(), out ulong named));
        _entries.Add(named, (key, list, index));
    }

    private void Take(string key, PieceList list, ulong index, LogLocation at)
    {
        _last = Math.Max(_last, index);
        if (Index.TryGetValue(key, out var before))
        {
            if (before.Index > index)
            {
                return;
            }

            _usage.Remove(before.At);
            if (before.Index < index)
            {
                Pieces.Drop(before.List.Id);
            }
        }

        _usage.Add(at);
        Pieces.Name(list.Id);
        Index[key] = (list, index, at);
    }
}
