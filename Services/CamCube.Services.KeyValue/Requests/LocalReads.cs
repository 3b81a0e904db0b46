using System.Buffers;
using CamCube.Services.KeyValue.Counting;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>
/// Reads that this server may answer itself and at once, without a message: it leads the key's group, a majority's
/// promise lasts or it is the only member, and the value is in memory. All others go the way of requests. Loop only.
/// </summary>
internal sealed class LocalReads(IServer server, KeyHasher hasher, MemberHost host, KeyValueCounters counters)
{
    /// <summary>Reads a value.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">Where the value goes, only with Done; null: it is not wanted.</param>
    /// <param name="metadata">The same for what is kept beside it.</param>
    /// <param name="answer">Done or NotFound, if it could.</param>
    /// <returns>False: it cannot be said here now, and nothing was done.</returns>
    public bool TryGet(
        in KeyValueKey key,
        IBufferWriter<byte>? value,
        IBufferWriter<byte>? metadata,
        out KeyValueAnswer answer
    )
    {
        answer = default;
        ReadOnlySpan<byte> bytes = key.Bytes.Span;
        if (
            !host.IsOpen
            || bytes.Length is 0 or > KeyValueKey.MostBytes
            || key.Table is < 0 or >= GroupId.MostTables
            || host.Find(GroupId.Of(key.Table, bytes, server.Shape)) is not { Leads: true } member
            || !MayRead(member)
        )
        {
            return false;
        }

        SeenValue seen = Answerer.Look(member, hasher.Of(key.Table, bytes), host);
        if (seen.Entry is not { } entry)
        {
            answer = new KeyValueAnswer(KeyValueStatus.NotFound);
            return IsLeaderStill(member);
        }

        bool isWanted = value is not null || metadata is not null;
        if (entry.IsInPieces && isWanted)
        {
            return false;
        }

        answer = Answerer.Found(host, entry);
        return !isWanted ? IsLeaderStill(member)
            : seen.Change is not { } change
                ? member.Store.IsInMemory && TryRead(member, entry.Location, value, metadata)
            : IsLeaderStill(member) && Give(value, change.Value, metadata, change.Metadata);
    }

    private static bool Give(
        IBufferWriter<byte>? value,
        ReadOnlySpan<byte> bytes,
        IBufferWriter<byte>? metadata,
        ReadOnlySpan<byte> beside
    )
    {
        value?.Write(bytes);
        metadata?.Write(beside);
        return true;
    }

    // What is applied, and not visible yet, may have been answered by another leader.
    private static bool MayRead(Member member) =>
        member.Shown >= member.State.Applied && (member.State.MayLease || IsOnly(member));

    private static bool IsOnly(Member member) =>
        member.State is { Role: GroupRole.Leader, Epoch.Members.Length: 1, EndsInNext: false } state
        && state.Applied >= state.First;

    // What is answered was looked at before: the clock says that nobody else led until then. Who is alone has nobody
    // who could.
    private bool IsLeaderStill(Member member)
    {
        if (!IsOnly(member) && !host.Leases.IsValid(member))
        {
            return false;
        }

        counters.Reads.Add();
        counters.ReadTimes.Add(0);
        host.Pieces.Pace.Served();
        return true;
    }

    private bool TryRead(Member member, LogLocation location, IBufferWriter<byte>? value, IBufferWriter<byte>? metadata)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(location.Length);
        ValueTask<LogRead> reading = host.LogOf(member.Id.Number)!.ReadAsync(location, buffer);
        if (!reading.IsCompletedSuccessfully)
        {
            // Whoever reads has the buffer, for ever: memory never does so.
            _ = reading.AsTask();
            return false;
        }

        LogRead read = reading.Result;
        bool isRead =
            read is { Status: DiskStatus.Done, IsRotten: false }
            && IsLeaderStill(member)
            && Give(value, read.Value.Span, metadata, OperationFormat.MetadataOf(read.Record.Flags, read.Extra).Span);
        ArrayPool<byte>.Shared.Return(buffer);
        return isRead;
    }
}
