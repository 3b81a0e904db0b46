using System.Buffers.Binary;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>What a snapshot has beside the log's part: the secret that names keys, where pieces of values lie, and the
/// index, group by group. Loop only.</summary>
/// <param name="index">Where keys lie.</param>
/// <param name="hasher">Names keys.</param>
/// <param name="keeper">Which records are needed.</param>
/// <param name="pieces">Which pieces are.</param>
/// <param name="now">The time, in nanoseconds.</param>
internal sealed class StoreSnapshot(
    KeyIndex index,
    KeyHasher hasher,
    LogKeeper keeper,
    PieceKeeper pieces,
    Func<long> now
)
{
    private const int IdBytes = 16;
    private readonly List<LogLocation> _inPieces = [];
    private TakenSlots? _taken;

    /// <summary>The groups that have keys.</summary>
    public uint[] Groups => index.Groups;

    /// <summary>Adds what is not a group's. Pieces that come later lie behind the mark.</summary>
    public void Begin(SnapshotWriter to)
    {
        to.Add(hasher.Secret);
        foreach (PieceId id in pieces.Pieces.Ids)
        {
            pieces.Pieces.CopyTo(to, id);
        }

        to.Add(0u);
    }

    /// <summary>Adds a group as it is now.</summary>
    public void Add(SnapshotWriter to, uint group)
    {
        _inPieces.Clear();
        if (!index.CopyTo(to, group, now(), pieces.HasNamed ? _inPieces : null))
        {
            return;
        }

        to.Add((uint)_inPieces.Count);
        foreach (LogLocation at in _inPieces)
        {
            PieceId id = pieces.NamedBy(at);
            to.Add(at);
            to.Add(id.High);
            to.Add(id.Low);
        }
    }

    /// <summary>Adds the end.</summary>
    public static void End(SnapshotWriter to)
    {
        to.Add(0u);
        to.Add(SnapshotFormat.End);
    }

    /// <summary>Takes all of it.</summary>
    /// <returns>False: it cannot be.</returns>
    public async ValueTask<bool> Read(SnapshotReader from)
    {
        byte[] secret = new byte[KeyHasher.SecretLength];
        if (!await from.Read(secret).ConfigureAwait(true) || !await ReadPieces(from).ConfigureAwait(true))
        {
            return false;
        }

        hasher.Adopt(secret);
        _taken = new TakenSlots(keeper.Expiries, now());
        while (await from.ReadUInt().ConfigureAwait(true) is 1u)
        {
            if (!await ReadGroup(from, _taken).ConfigureAwait(true))
            {
                return false;
            }
        }

        foreach (TakenSegment segment in _taken.Segments)
        {
            keeper.Taken(segment);
        }

        return await from.ReadUInt().ConfigureAwait(true) is SnapshotFormat.End;
    }

    /// <summary>Whether all that was taken, and is needed still, is there.</summary>
    public bool Fits(IReadOnlyDictionary<uint, LogSegment> segments)
    {
        HashSet<uint> gone = [];
        bool isRight = true;
        foreach (TakenSegment taken in _taken?.Segments ?? [])
        {
            if (!segments.TryGetValue(taken.Number, out LogSegment? segment))
            {
                gone.Add(taken.Number);
            }
            else
            {
                isRight &= taken.End <= segment.End;
            }
        }

        _taken = null;
        return isRight && keeper.DropIn(gone) && pieces.Pieces.AreIn(segments);
    }

    private async ValueTask<bool> ReadPieces(SnapshotReader from)
    {
        byte[] id = new byte[IdBytes];
        uint? next;
        while ((next = await from.ReadUInt().ConfigureAwait(true)) is 1u)
        {
            if (
                !await from.Read(id).ConfigureAwait(true)
                || await from.ReadLocations().ConfigureAwait(true) is not { } locations
            )
            {
                return false;
            }

            for (int number = 0; number < locations.Length; number++)
            {
                if (locations[number].Length > 0)
                {
                    pieces.Pieces.Place(IdIn(id), number, locations[number]);
                }
            }
        }

        return next is 0u;
    }

    private async ValueTask<bool> ReadGroup(SnapshotReader from, TakenSlots taken)
    {
        taken.InPieces.Clear();
        if (await from.ReadUInt().ConfigureAwait(true) is not { } group)
        {
            return false;
        }

        taken.Group = group;
        if (
            !await index.Read(from, taken).ConfigureAwait(true)
            || await from.ReadCount(SnapshotReader.LocationBytes + IdBytes).ConfigureAwait(true) is not { } named
            || named != taken.InPieces.Count
        )
        {
            return false;
        }

        byte[] bytes = new byte[SnapshotReader.LocationBytes + IdBytes];
        for (; named > 0; named--)
        {
            if (!await from.Read(bytes).ConfigureAwait(true))
            {
                return false;
            }

            pieces.Named(SnapshotReader.LocationIn(bytes), IdIn(bytes.AsSpan(SnapshotReader.LocationBytes)));
        }

        return true;
    }

    private static PieceId IdIn(ReadOnlySpan<byte> bytes) =>
        new(BinaryPrimitives.ReadUInt64LittleEndian(bytes), BinaryPrimitives.ReadUInt64LittleEndian(bytes[8..]));
}
