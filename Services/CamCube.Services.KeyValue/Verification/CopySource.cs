using System.Runtime.CompilerServices;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Verification;

/// <summary>Says which copies this server has of the keys of a group, with a sum over each. Versions name them: so it
/// needs no key, and all members have the same order. Keys that a batch gave the same version are one row. Loop only.
/// </summary>
internal sealed class CopySource(IServer server, MessageChannel<KeyValueHeader> channel, MemberHost host)
{
    // Of one page.
    private const int MostRows = 1_024;
    private const long MostBytes = 1 << 20;
    private const uint MostPieces = 8;

    // Pages that are made at once; who asks for more asks again.
    private const int MostAtOnce = 4;
    private int _running;

    /// <summary>Another server asks. False: it cannot be read.</summary>
    public bool OnAsk(in KeyValueHeader header, Coordinate from, ReadOnlySpan<byte> content)
    {
        if (!CopyAsk.TryRead(content, out CopyAsk ask))
        {
            return false;
        }

        if (_running < MostAtOnce)
        {
            KeyValueHeader answer = KeyValueHeader.Answering(header, MessageType.CopyPage);
            server.Loop.Run(() => SayAsync(answer, from, ask));
        }

        return true;
    }

    /// <summary>What is asked for, as it is here.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<CopyPage> PageAsync(CopyAsk ask)
    {
        Member? member = host.IsOpen ? host.Find(new GroupId(ask.Group)) : null;
        CopyPart part = PartOf(member);
        if (member is null || part != CopyPart.All)
        {
            return new CopyPage
            {
                Part = part,
                Epoch = member?.State.Epoch,
                Marks = member?.State.CommitMarks ?? default,
                IsAll = true,
            };
        }

        List<(ulong Version, UInt128 Name)> copies = Collect(ask, out ulong latest, out bool isAll);
        var page = new CopyPage
        {
            Part = part,
            Epoch = member.State.Epoch,
            Marks = member.State.CommitMarks,
            Shown = member.Shown,
            Latest = latest,
        };
        _running++;
        int done = 0;
        for (; done < copies.Count && (page.Bytes < MostBytes || IsBatch(copies, done)); done++)
        {
            CopyRow row = await RowAsync(page, ask, copies[done].Version, copies[done].Name);
            if (IsBatch(copies, done))
            {
                page.Rows[^1] = Join(page.Rows[^1], row);
            }
            else
            {
                page.Rows.Add(row);
            }
        }

        page.IsAll = isAll && done == copies.Count;
        _running--;
        return page;
    }

    // It has the version of the one before it.
    private static bool IsBatch(List<(ulong Version, UInt128 Name)> copies, int at) =>
        at > 0 && copies[at].Version == copies[at - 1].Version;

    // In any order: each member has its own.
    private static CopyRow Join(in CopyRow one, in CopyRow other) =>
        new(
            one.Version,
            unchecked(one.Sum + other.Sum),
            other.State == CopyState.Read ? one.State : other.State,
            one.Length + other.Length
        )
        {
            Key = one.Key is null || other.Key.AsSpan().SequenceCompareTo(one.Key) > 0 ? one.Key : other.Key,
        };

    private static CopyPart PartOf(Member? member) =>
        member is not { State: { Epoch: not null, IsDropped: false } state } ? CopyPart.None
        : state.Fetching is not null ? CopyPart.Late
        : state.Role is GroupRole.Unborn or >= GroupRole.Ended ? CopyPart.None
        : CopyPart.All;

    private async ValueTask SayAsync(KeyValueHeader header, Coordinate to, CopyAsk ask)
    {
        CopyPage page = await PageAsync(ask);
        var writer = new WireWriter();
        page.Write(writer);
        channel.Send(header, default, writer.Written.ToArray(), to);
    }

    // The first of them by their versions; deletes may have been forgotten, so they are no copies.
    private List<(ulong Version, UInt128 Name)> Collect(in CopyAsk ask, out ulong latest, out bool isAll)
    {
        (latest, isAll) = (0, true);
        ulong after = ask.Piece == CopyAsk.NoPiece ? ask.After : ask.Until - 1;
        var first = new PriorityQueue<UInt128, ulong>(Comparer<ulong>.Create(static (a, b) => b.CompareTo(a)));
        foreach ((UInt128 name, IndexEntry entry) in host.Index.Of(ask.Group))
        {
            latest = Math.Max(latest, entry.Version);
            if (entry.IsDeleted || entry.Version <= after || entry.Version > ask.Until)
            {
                continue;
            }

            if (first.Count < MostRows)
            {
                first.Enqueue(name, entry.Version);
            }
            else
            {
                isAll = false;
                first.EnqueueDequeue(name, entry.Version);
            }
        }

        List<(ulong Version, UInt128 Name)> copies = new(first.Count);
        while (first.TryDequeue(out UInt128 name, out ulong version))
        {
            copies.Add((version, name));
        }

        copies.Reverse();
        if (!isAll)
        {
            // All of the last version, or none.
            ulong last = copies[^1].Version;
            copies.RemoveAll(c => c.Version == last);
            copies.AddRange(
                host.Index.Of(ask.Group)
                    .Where(e => !e.Value.IsDeleted && e.Value.Version == last)
                    .Select(e => (last, e.Key))
            );
        }

        return copies;
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<CopyRow> RowAsync(CopyPage page, CopyAsk ask, ulong version, UInt128 name)
    {
        while (host.Index.TryGet(ask.Group, name, out IndexEntry entry) && !entry.IsDeleted && entry.Version == version)
        {
            byte[] buffer = GC.AllocateUninitializedArray<byte>(entry.Location.Length);
            LogRead read = await host.LogOf(ask.Group)!.ReadAsync(entry.Location, buffer);
            page.Bytes += (uint)buffer.Length;
            if (read is not { Status: DiskStatus.Done, IsRotten: false })
            {
                if (host.Index.TryGet(ask.Group, name, out IndexEntry now) && now.Location == entry.Location)
                {
                    return new CopyRow(version, 0, CopyState.Unread, (uint)entry.Length);
                }

                continue;
            }

            CopyState state = entry.IsInPieces ? CopyState.InPieces : CopyState.Read;
            uint sum = SumOf(read);
            if (ask.Piece != CopyAsk.NoPiece && entry.IsInPieces && PieceList.Read(read.Value.Span) is { } list)
            {
                state = await ReadPiecesAsync(page, list, ask.Piece) ? state : CopyState.Unread;
            }

            return new CopyRow(version, sum, state, (uint)entry.Length)
            {
                Key = ask.WithKeys ? read.Key.ToArray() : null,
            };
        }

        return new CopyRow(version, 0, CopyState.Changed, 0);
    }

    // What lies beside it in the log, as for whom it was done, is no part of a copy.
    private static uint SumOf(in LogRead read)
    {
        uint sum = Sectors.Sum(uint.MaxValue ^ read.Record.Expires, read.Key.Span);
        sum = Sectors.Sum(sum, OperationFormat.MetadataOf(read.Record.Flags, read.Extra).Span);
        return Sectors.Sum(sum, read.Value.Span);
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<bool> ReadPiecesAsync(CopyPage page, PieceList list, uint from)
    {
        MemberStore store = host.Pieces.StoreWith(list.Id);
        byte[] buffer = GC.AllocateUninitializedArray<byte>(LogPieces.BufferBytes);
        long end = Math.Min(list.Sums.Count, (long)from + MostPieces);
        for (uint number = from; number < end; number++)
        {
            LogRead read = await store.Records.Pieces.Pieces.ReadAsync(store.Log!, list.Id, (int)number, buffer);
            page.Bytes += (uint)read.Value.Length;
            bool isRight =
                read is { Status: DiskStatus.Done, IsRotten: false } && read.ValueSum == list.Sums[(int)number];
            if (!isRight)
            {
                return false;
            }
        }

        page.NextPiece = end < list.Sums.Count ? (uint)end : 0;
        return true;
    }
}
