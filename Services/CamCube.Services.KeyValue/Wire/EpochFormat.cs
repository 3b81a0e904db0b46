using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>Stores, ballots and epochs as bytes.</summary>
internal static class EpochFormat
{
    // In the byte that counts the members: what the group promises follows.
    private const int HasMode = 0x80;
    private const byte IsByMajority = 1;

    private const byte IsInMemory = 2;

    /// <summary>Bytes of a store.</summary>
    public const int StoreLength = 14;

    /// <summary>A version has 24 bits for it.</summary>
    public const uint MostGenerations = (1 << 24) - 1;

    // The same: the generation and who was given up follow.
    private const int HasGeneration = 0x40;

    public static void Write(WireWriter writer, Ballot ballot)
    {
        writer.UInt(ballot.Generation);
        writer.UInt(ballot.Epoch);
        writer.UInt(ballot.Term);
    }

    public static Ballot ReadBallot(ref WireReader reader) => new(reader.UInt(), reader.UInt(), reader.UInt());

    public static void Write(WireWriter writer, StoreId store)
    {
        writer.Server(store.Server);
        writer.ULong(store.Incarnation);
    }

    public static StoreId ReadStore(ref WireReader reader) => new(reader.Server(), reader.ULong());

    /// <summary>An epoch, or none.</summary>
    public static void Write(WireWriter writer, GroupEpoch? epoch)
    {
        writer.UInt(epoch?.Number ?? 0);
        if (epoch is null)
        {
            return;
        }

        writer.Byte(epoch.Marks.Away);
        writer.Byte(epoch.Marks.Whole);
        bool hasMode = epoch.Mode != default;
        bool hasGeneration = epoch.Generation > 0;
        writer.Byte((byte)(epoch.Members.Length | (hasMode ? HasMode : 0) | (hasGeneration ? HasGeneration : 0)));
        writer.Byte((byte)epoch.Leaving.Length);
        if (hasMode)
        {
            int flags = (epoch.Mode.IsByMajority ? IsByMajority : 0) | (epoch.Mode.IsInMemory ? IsInMemory : 0);
            writer.Byte((byte)flags);
            writer.UInt(epoch.Mode.LeaseMicros);
        }

        if (hasGeneration)
        {
            writer.UInt(epoch.Generation);
            writer.UShort((ushort)epoch.Banned.Length);
        }

        Write(writer, epoch.Members);

        Write(writer, epoch.Leaving);
        Write(writer, epoch.Banned);
    }

    /// <summary>Stores, one behind the other.</summary>
    public static void Write(WireWriter writer, ReadOnlySpan<StoreId> stores)
    {
        foreach (StoreId store in stores)
        {
            Write(writer, store);
        }
    }

    /// <summary>So many stores; what is missing is none.</summary>
    public static StoreId[] ReadStores(ref WireReader reader, int count)
    {
        StoreId[] stores = new StoreId[Math.Min(count, reader.Left / StoreLength)];
        for (int i = 0; i < stores.Length; i++)
        {
            stores[i] = ReadStore(ref reader);
        }

        return stores;
    }

    /// <summary>False: it is none. True with null: it says that there is none.</summary>
    public static bool TryRead(ref WireReader reader, out GroupEpoch? epoch)
    {
        epoch = null;
        uint number = reader.UInt();
        if (reader.IsBroken || number == 0)
        {
            return !reader.IsBroken;
        }

        var marks = new GroupMarks(reader.Byte(), reader.Byte());
        int members = reader.Byte(),
            leaving = reader.Byte();
        GroupMode mode = default;
        if ((members & HasMode) != 0)
        {
            byte flags = reader.Byte();
            mode = new GroupMode((flags & IsByMajority) != 0, reader.UInt(), (flags & IsInMemory) != 0);
            if (flags > (IsByMajority | IsInMemory) || mode == default)
            {
                return false;
            }

            members &= ~HasMode;
        }

        uint generation = 0;
        int banned = 0;
        if ((members & HasGeneration) != 0)
        {
            (generation, banned, members) = (reader.UInt(), reader.UShort(), members & ~HasGeneration);
            if (generation is 0 or > MostGenerations)
            {
                return false;
            }
        }

        if (members is 0 or > GroupEpoch.MostMembers || (members + leaving + banned) * StoreLength > reader.Left)
        {
            return false;
        }

        StoreId[] stores = ReadStores(ref reader, members);
        StoreId[] left = ReadStores(ref reader, leaving);
        epoch = new GroupEpoch(number, stores, marks, left, mode, generation, ReadStores(ref reader, banned));
        return true;
    }

    /// <summary>A recovery, or none.</summary>
    public static void Write(WireWriter writer, GroupRecovery? recovery)
    {
        Write(writer, recovery?.Next);
        if (recovery is not null)
        {
            Write(writer, recovery.Base);
            writer.ULong(recovery.Index);
            Write(writer, recovery.Ballot);
            writer.Byte((byte)recovery.Asked.Length);
            Write(writer, recovery.Asked);
        }
    }

    /// <summary>False: it is none. True with null: it says that there is none.</summary>
    public static bool TryRead(ref WireReader reader, out GroupRecovery? recovery)
    {
        recovery = null;
        if (!TryRead(ref reader, out GroupEpoch? next))
        {
            return false;
        }

        if (next is null)
        {
            return true;
        }

        StoreId from = ReadStore(ref reader);
        (ulong index, Ballot ballot, int count) = (reader.ULong(), ReadBallot(ref reader), reader.Byte());
        StoreId[] asked = ReadStores(ref reader, count);
        bool isRight =
            !reader.IsBroken
            && next.Generation > 0
            && asked.Length == count
            && count <= GroupRecovery.MostAsked
            && Array.IndexOf(asked, from) >= 0;
        recovery = isRight ? new GroupRecovery(next, asked, from, index, ballot) : null;
        return isRight;
    }
}
