using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>Stores, ballots and epochs as bytes.</summary>
internal static class EpochFormat
{
    // In the byte that counts the members: what the group promises follows.
    private const int HasMode = 0x80;
    private const byte IsByMajority = 1;

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
        writer.Byte((byte)(epoch.Members.Length | (hasMode ? HasMode : 0)));
        writer.Byte((byte)epoch.Leaving.Length);
        if (hasMode)
        {
            writer.Byte(epoch.Mode.IsByMajority ? IsByMajority : (byte)0);
            writer.UInt(epoch.Mode.LeaseMicros);
        }

        foreach (StoreId member in epoch.Members)
        {
            Write(writer, member);
        }

        foreach (StoreId member in epoch.Leaving)
        {
            Write(writer, member);
        }
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
            mode = new GroupMode((flags & IsByMajority) != 0, reader.UInt());
            if (flags > IsByMajority || mode == default)
            {
                return false;
            }

            members &= ~HasMode;
        }

        if (members is 0 or > GroupEpoch.MostMembers || (members + leaving) * StoreLength > reader.Left)
        {
            return false;
        }

        Span<StoreId> stores = stackalloc StoreId[GroupEpoch.MostMembers];
        stores = stores[..members];
        for (int i = 0; i < members; i++)
        {
            stores[i] = ReadStore(ref reader);
        }

        StoreId[] left = new StoreId[leaving];
        for (int i = 0; i < leaving; i++)
        {
            left[i] = ReadStore(ref reader);
        }

        epoch = new GroupEpoch(number, stores, marks, left, mode);
        return true;
    }

    private const int StoreLength = 14;
}
