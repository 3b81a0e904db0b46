using System.Runtime.InteropServices;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Counting;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Recovery;

/// <summary>
/// Mends what has rotted in the log: a change is fetched from another member, by its version, for its key cannot be
/// read any more, and written anew; what lies beside it and is still right is copied. One after the other. Loop only.
/// </summary>
internal sealed class RotRepairer(
    IServer server,
    MessageChannel<KeyValueHeader> channel,
    MemberHost host,
    KeyValueCounters counters,
    TimeSpan patience
)
{
    private const int HeadBytes = sizeof(uint) + sizeof(ulong);
    private const int Rounds = 4;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(1);
    private readonly PieceRepairer _pieces = new(server, host, counters, patience);
    private readonly Queue<(uint Group, UInt128 Key, LogLocation At)> _places = new();
    private readonly HashSet<(uint Group, LogLocation At)> _wanted = [];
    private bool _isRunning;

    /// <summary>Whether a change is fetched because it has rotted here.</summary>
    public bool IsRotten(uint group, LogLocation at) => _wanted.Contains((group, at));

    /// <summary>A range of the log is not as it was written.</summary>
    public void Rotten(LogKeeper keeper, uint segment, long from, long to)
    {
        keeper.RewriteIn(host.Members, segment, from, to);
        foreach (Member member in host.Members)
        {
            foreach ((UInt128 key, IndexEntry entry) in host.Index.Of(member.Id.Number))
            {
                LogLocation at = entry.Location;
                if (at.Segment == segment && at.Offset < to && at.Offset + at.Length > from)
                {
                    _places.Enqueue((member.Id.Number, key, at));
                }
            }
        }

        // Those that are right, and only near, are not fetched.
        host.Pieces.Keeper.Pieces.In(segment, from, to).ForEach(piece => RottenPiece(piece.Id, piece.Number));
        if (!_isRunning && _places.Count > 0)
        {
            _isRunning = true;
            server.Loop.Run(Run);
        }
    }

    /// <summary>A piece of a value is not as it was written.</summary>
    public void RottenPiece(PieceId id, int number) => _pieces.Rotten(id, number);

    /// <summary>Mends what a key has here.</summary>
    /// <returns>Whether it has changed, or lies elsewhere, and may be read again.</returns>
    public async ValueTask<bool> Mend(uint group, UInt128 key)
    {
        if (host.Find(new GroupId(group)) is not { } member || !host.Index.TryGet(group, key, out IndexEntry entry))
        {
            return false;
        }

        byte[] buffer = GC.AllocateUninitializedArray<byte>(entry.Location.Length);
        LogRead read = await host.Log!.ReadAsync(entry.Location, buffer);
        bool isRotten = read is { Status: DiskStatus.Done, IsRotten: true };
        if (!isRotten && !await Copy(entry, buffer, read.Status))
        {
            return false;
        }

        long asking = patience.Ticks * 100;
        int others = member.State.Epoch?.Members.Length ?? 0;
        for (int tries = 0; tries < Rounds * others; tries++)
        {
            StoreId store = member.State.Epoch!.Members[tries % member.State.Epoch.Members.Length];
            if (isRotten && store == member.State.Self)
            {
                continue;
            }

            if (isRotten)
            {
                _wanted.Add((group, entry.Location));
                Ask(group, entry.Version, store.Server);
            }

            for (long end = server.NowNanos + (asking / Rounds); server.NowNanos < end; )
            {
                if (!await server.DelayAsync(Pause))
                {
                    return false;
                }

                if (!host.Index.TryGet(group, key, out IndexEntry now) || now.Location != entry.Location)
                {
                    _wanted.Remove((group, entry.Location));
                    return true;
                }
            }
        }

        _wanted.Remove((group, entry.Location));
        return false;
    }

    /// <summary>Another member asks for the change that made a version. False: it cannot be read.</summary>
    public bool OnAsk(Coordinate from, ReadOnlySpan<byte> content)
    {
        if (content.Length < HeadBytes)
        {
            return false;
        }

        uint group = MemoryMarshal.Read<uint>(content);
        ulong version = MemoryMarshal.Read<ulong>(content[sizeof(uint)..]);
        foreach ((_, IndexEntry entry) in host.IsOpen ? host.Index.Of(group) : [])
        {
            if (entry.Version == version)
            {
                // Several, if they were changed by a batch.
                IndexEntry found = entry;
                server.Loop.Run(() => Say(from, found));
            }
        }

        // Who has it no more, because the key was changed since, sends that change in the log.
        return true;
    }

    /// <summary>A change that was asked for. False: it cannot be read.</summary>
    public bool OnRecord(ReadOnlySpan<byte> content)
    {
        if (content.Length < sizeof(uint))
        {
            return false;
        }

        var reader = new WireReader(content[sizeof(uint)..]);
        uint group = MemoryMarshal.Read<uint>(content);
        if (!StateRecordFormat.TryRead(ref reader, out LogRecord change, out Operation? operation))
        {
            return false;
        }

        bool isWanted =
            host.TryFind(new GroupId(group).Table, operation!.Key, out IndexEntry rotten)
            && rotten.Version == change.Version
            && _wanted.Remove((group, rotten.Location));
        if (isWanted && host.Find(new GroupId(group)) is { State.IsDropped: false } member)
        {
            counters.Repaired.Add();
            host.Settle(member, change, operation);
        }

        return true;
    }

    private async ValueTask Run()
    {
        while (_places.TryDequeue(out (uint Group, UInt128 Key, LogLocation At) place))
        {
            if (host.Index.TryGet(place.Group, place.Key, out IndexEntry entry) && entry.Location == place.At)
            {
                await Mend(place.Group, place.Key);
            }
        }

        _isRunning = false;
    }

    private async ValueTask<bool> Copy(IndexEntry entry, byte[] record, DiskStatus status)
    {
        while (status == DiskStatus.Done && !host.Log!.HasEnded)
        {
            if (host.Log.TryCopy(record, entry.Location))
            {
                return true;
            }

            if (!await server.DelayAsync(Pause))
            {
                return false;
            }
        }

        return false;
    }

    private void Ask(uint group, ulong version, Coordinate to)
    {
        Span<byte> content = stackalloc byte[HeadBytes];
        MemoryMarshal.Write(content, group);
        MemoryMarshal.Write(content[sizeof(uint)..], version);
        channel.Send(new KeyValueHeader { Type = MessageType.RecordAsk }, content, default, to);
    }

    private async ValueTask Say(Coordinate to, IndexEntry entry)
    {
        byte[] buffer = GC.AllocateUninitializedArray<byte>(entry.Location.Length);
        LogRead read = await host.Log!.ReadAsync(entry.Location, buffer);
        if (read is { Status: DiskStatus.Done, IsRotten: false })
        {
            var writer = new WireWriter();
            writer.UInt(entry.Group);
            StateRecordFormat.Write(writer, read.Record, read.Key.Span, read.Extra.Span, read.Value.Span);
            channel.Send(new KeyValueHeader { Type = MessageType.Record }, default, writer.Written.ToArray(), to);
        }
    }
}
