using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>Messages of groups as bytes, with the operations that their entries carry.</summary>
internal static class GroupMessageFormat
{
    /// <summary>Most entries of a message.</summary>
    public const int MostEntries = 4_096;

    // An index has 40 bits in a version.
    private const ulong MostIndex = (1UL << 40) - 1;

    /// <summary>Writes one.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="group">Its group.</param>
    /// <param name="message">The message; its entries from the first on as many as are said.</param>
    /// <param name="entries">How many of its entries are written.</param>
    /// <param name="operationAt">The operation at an index.</param>
    public static void Write(
        WireWriter writer,
        GroupId group,
        in GroupMessage message,
        int entries,
        Func<ulong, Operation> operationAt
    )
    {
        writer.UInt(group.Number);
        writer.Byte((byte)message.Kind);
        writer.ULong(message.From.Incarnation);
        writer.ULong(message.To.Incarnation);
        EpochFormat.Write(writer, message.Ballot);
        writer.ULong(message.Index);
        EpochFormat.Write(writer, message.EntryBallot);
        writer.ULong(message.Commit);
        writer.ULong(message.Applied);
        writer.ULong(message.Round);
        EpochFormat.Write(writer, message.Epoch);
        if (IsOfRecovery(message.Kind))
        {
            EpochFormat.Write(writer, message.Recovery);
        }

        writer.UShort((ushort)entries);
        for (int i = 0; i < entries; i++)
        {
            GroupEntry entry = message.Entries![i];
            Write(writer, entry);
            if (entry.Kind == EntryKind.Operation)
            {
                OperationFormat.Write(writer, operationAt(message.Index + 1 + (ulong)i));
            }
        }
    }

    /// <summary>Reads one.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="from">The server that says it.</param>
    /// <param name="self">This server.</param>
    /// <param name="group">Its group.</param>
    /// <param name="message">The message; its operations' data is where they are in <paramref name="operations"/>.
    /// </param>
    /// <param name="operations">The operations are added here.</param>
    /// <returns>False: it is none, and what follows it cannot be read either.</returns>
    public static bool TryRead(
        ref WireReader reader,
        Coordinate from,
        Coordinate self,
        out GroupId group,
        out GroupMessage message,
        List<Operation> operations
    )
    {
        group = new GroupId(reader.UInt());
        var read = new GroupMessage
        {
            Kind = (MessageKind)reader.Byte(),
            From = new StoreId(from, reader.ULong()),
            To = new StoreId(self, reader.ULong()),
            Ballot = EpochFormat.ReadBallot(ref reader),
            Index = reader.ULong(),
            EntryBallot = EpochFormat.ReadBallot(ref reader),
            Commit = reader.ULong(),
            Applied = reader.ULong(),
            Round = reader.ULong(),
        };
        bool isRight = EpochFormat.TryRead(ref reader, out GroupEpoch? epoch);
        GroupRecovery? recovery = null;
        isRight &= !IsOfRecovery(read.Kind) || (EpochFormat.TryRead(ref reader, out recovery) && recovery is not null);
        int count = reader.UShort();
        message = read with { Epoch = epoch, Recovery = recovery };
        if (
            !isRight
            || reader.IsBroken
            || count > MostEntries
            || message.Kind > MessageKind.Gone
            || message.Index + (ulong)count > MostIndex
            || message.Index > MostIndex
            || (NeedsEpoch(message.Kind) && epoch is null)
        )
        {
            return false;
        }

        if (count == 0)
        {
            return true;
        }

        var entries = new GroupEntry[count];
        for (int i = 0; i < count; i++)
        {
            if (!TryRead(ref reader, out entries[i]))
            {
                return false;
            }

            if (entries[i].Kind == EntryKind.Operation)
            {
                if (OperationFormat.Read(ref reader) is not { } operation)
                {
                    return false;
                }

                entries[i] = entries[i] with { Data = (ulong)operations.Count };
                operations.Add(operation);
            }
        }

        message = message with { Entries = entries };
        return !reader.IsBroken;
    }

    /// <summary>An entry without its operation.</summary>
    public static void Write(WireWriter writer, in GroupEntry entry)
    {
        writer.Byte((byte)entry.Kind);
        EpochFormat.Write(writer, entry.Ballot);
        switch (entry.Kind)
        {
            case EntryKind.Away or EntryKind.Back or EntryKind.Whole:
                writer.Byte((byte)entry.Data);
                break;
            case EntryKind.Next:
                EpochFormat.Write(writer, entry.Epoch);
                break;
            default:
                break;
        }
    }

    public static bool TryRead(ref WireReader reader, out GroupEntry entry)
    {
        entry = new GroupEntry((EntryKind)reader.Byte(), EpochFormat.ReadBallot(ref reader), 0);
        switch (entry.Kind)
        {
            case EntryKind.Begin or EntryKind.Operation:
                break;
            case EntryKind.Away or EntryKind.Back or EntryKind.Whole:
                entry = entry with { Data = reader.Byte() };
                if (entry.Data >= GroupEpoch.MostMembers)
                {
                    return false;
                }

                break;
            case EntryKind.Next:
                if (!EpochFormat.TryRead(ref reader, out GroupEpoch? epoch) || epoch is null)
                {
                    return false;
                }

                entry = entry with { Epoch = epoch };
                break;
            default:
                return false;
        }

        return !reader.IsBroken;
    }

    private static bool IsOfRecovery(MessageKind kind) => kind is MessageKind.Recover or MessageKind.RecoverAccepted;

    private static bool NeedsEpoch(MessageKind kind) =>
        kind
            is MessageKind.StartEpoch
                or MessageKind.EpochStarted
                or MessageKind.Birth
                or MessageKind.BirthAccepted
                or MessageKind.BirthRefused;
}
