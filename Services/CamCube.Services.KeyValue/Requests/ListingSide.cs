using System.Buffers;
using System.Runtime.CompilerServices;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>Lists where they come from: groups of a table one after the other, each asked of who leads it; of a prefix
/// with a whole tag only the one group of that tag. Loop only.</summary>
internal sealed class ListingSide(IServer server, KeyValueOptions options, AskingSide asking)
{
    // Keys of one page; the longest are 65,535 bytes.
    private const long MostBytes = 256 << 10;

    /// <summary>A part of a list.</summary>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<KeyValuePage> ListAsync(KeyValueKey prefix, string? cursor, int limit)
    {
        if (prefix.Bytes.Length > KeyValueKey.MostBytes || prefix.Table is < 0 or >= GroupId.MostTables)
        {
            return new KeyValuePage(KeyValueStatus.BadKey);
        }

        int most = Math.Clamp(limit, 1, KeyValuePage.MostKeys);
        bool hasTag = KeyValueKey.HasTag(prefix.Bytes.Span);
        GroupId first = hasTag
            ? GroupId.Of(prefix.Table, prefix.Bytes.Span, server.Shape)
            : GroupId.Of(prefix.Table, 0, 0);
        var at = new ListAsk(first.Number, 0, 0);
        if (cursor is not null && !ListCursor.TryRead(cursor, prefix.Table, prefix.Bytes.Span, server.Shape, out at))
        {
            return new KeyValuePage(KeyValueStatus.BadCursor);
        }

        List<KeyValueListing> keys = [];
        long bytes = 0,
            endNanos = server.NowNanos + ((long)options.Timeout.TotalNanoseconds / 2);
        while (new GroupId(at.Group).IsIn(server.Shape))
        {
            if (keys.Count >= most || bytes >= MostBytes || server.NowNanos >= endNanos)
            {
                return PageOf(keys, ListCursor.Write(at with { Most = 0 }, prefix.Bytes.Span, server.Shape));
            }

            int before = keys.Count;
            (KeyValueStatus status, at) = await AskAsync(prefix, at with { Most = most - keys.Count }, keys);
            if (status != KeyValueStatus.Done)
            {
                // What there is is worth something; the next part says what is wrong.
                return keys.Count > 0
                    ? PageOf(keys, ListCursor.Write(at with { Most = 0 }, prefix.Bytes.Span, server.Shape))
                    : new KeyValuePage(status);
            }

            if (hasTag && at.Group != first.Number)
            {
                break;
            }

            bytes += keys.Skip(before).Sum(static key => (long)key.Key.Length);
        }

        return PageOf(keys, null);
    }

    private static KeyValuePage PageOf(List<KeyValueListing> keys, string? next) =>
        new(KeyValueStatus.Done) { Keys = keys, Next = next };

    // Behind the last sequence of the last home comes what is no group.
    private static ListAsk After(in ListAsk at)
    {
        var group = new GroupId(at.Group);
        bool isLast = group.Sequence == Topology.ReplicaSequences.Count - 1;
        return new ListAsk(
            GroupId.Of(group.Table, group.Home + (isLast ? 1 : 0), isLast ? 0 : group.Sequence + 1).Number,
            0,
            0
        );
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<(KeyValueStatus Status, ListAsk Next)> AskAsync(
        KeyValueKey prefix,
        ListAsk at,
        List<KeyValueListing> keys
    )
    {
        var question = new WireWriter();
        at.Write(question);
        ArrayBufferWriter<byte> listed = new(),
            next = new();
        var list = new Asking
        {
            Type = RequestType.List,
            Key = prefix,
            Metadata = question.Written.ToArray(),
            Group = new GroupId(at.Group),
        };
        KeyValueAnswer answer = await asking.AskAsync(list, listed, next);
        if (answer.Status != KeyValueStatus.Done)
        {
            return (answer.Status, at);
        }

        int before = keys.Count;
        if (
            !ListAsk.TryRead(next.WrittenSpan, out ListAsk after)
            || after.Group != at.Group
            || !ListedFormat.TryRead(listed.WrittenSpan, keys)
        )
        {
            keys.RemoveRange(before, keys.Count - before);
            return (KeyValueStatus.Unavailable, at);
        }

        return (KeyValueStatus.Done, after.Bucket == 0 ? After(at) : after);
    }
}
