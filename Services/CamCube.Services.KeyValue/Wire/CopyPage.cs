using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>A member's answer to <see cref="CopyAsk"/>: its copies as they were at one moment.</summary>
internal sealed class CopyPage
{
    /// <summary>What it has of the group.</summary>
    public CopyPart Part { get; init; }

    /// <summary>The epoch it is in.</summary>
    public GroupEpoch? Epoch { get; init; }

    /// <summary>What its members are, as far as it knows.</summary>
    public GroupMarks Marks { get; init; }

    /// <summary>The last index that is applied there.</summary>
    public ulong Shown { get; init; }

    /// <summary>The latest version of all its keys of the group.</summary>
    public ulong Latest { get; init; }

    /// <summary>There are no more up to the version that was asked for.</summary>
    public bool IsAll { get; set; }

    /// <summary>Of pieces: the next one; 0: that was all.</summary>
    public uint NextPiece { get; set; }

    /// <summary>Bytes that were read for it.</summary>
    public uint Bytes { get; set; }

    /// <summary>Copies, in the order of their versions.</summary>
    public List<CopyRow> Rows { get; } = [];

    public void Write(WireWriter writer)
    {
        writer.Byte((byte)Part);
        EpochFormat.Write(writer, Epoch);
        writer.Byte(Marks.Away);
        writer.Byte(Marks.Whole);
        writer.ULong(Shown);
        writer.ULong(Latest);
        writer.Byte(IsAll ? (byte)1 : (byte)0);
        writer.UInt(NextPiece);
        writer.UInt(Bytes);
        foreach (CopyRow row in Rows)
        {
            writer.ULong(row.Version);
            writer.UInt(row.Sum);
            writer.Byte((byte)row.State);
            writer.UInt(row.Length);
            writer.UShort((ushort)(row.Key?.Length ?? 0));
            writer.Bytes(row.Key);
        }
    }

    /// <summary>Null: it is none.</summary>
    public static CopyPage? Read(ReadOnlySpan<byte> content)
    {
        var reader = new WireReader(content);
        var part = (CopyPart)reader.Byte();
        if (part > CopyPart.All || !EpochFormat.TryRead(ref reader, out GroupEpoch? epoch))
        {
            return null;
        }

        var page = new CopyPage
        {
            Part = part,
            Epoch = epoch,
            Marks = new GroupMarks(reader.Byte(), reader.Byte()),
            Shown = reader.ULong(),
            Latest = reader.ULong(),
            IsAll = reader.Byte() != 0,
            NextPiece = reader.UInt(),
            Bytes = reader.UInt(),
        };
        ulong before = 0;
        while (reader.Left > 0)
        {
            ulong version = reader.ULong();
            uint sum = reader.UInt();
            var state = (CopyState)reader.Byte();
            uint length = reader.UInt();
            ReadOnlySpan<byte> key = reader.Take(reader.UShort());
            if (reader.IsBroken || state > CopyState.Changed || version <= before)
            {
                return null;
            }

            page.Rows.Add(new CopyRow(version, sum, state, length) { Key = key.IsEmpty ? null : key.ToArray() });
            before = version;
        }

        // Who has not all of them says how far it came.
        return reader.IsBroken || (part == CopyPart.All && !page.IsAll && page.Rows.Count == 0) ? null : page;
    }
}
