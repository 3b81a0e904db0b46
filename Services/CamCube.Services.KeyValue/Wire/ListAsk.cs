using CamCube.Services.KeyValue.Coding;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>Where in a group a list goes on: lies where a change has its metadata, and the prefix where it has its
/// key.</summary>
/// <param name="Group">The group.</param>
/// <param name="Bucket">The bucket.</param>
/// <param name="Index">The index that it is of. In any other keys lie in other buckets, so the group is begun
/// anew.</param>
/// <param name="Most">About how many keys are wanted; not asked of an answer.</param>
internal readonly record struct ListAsk(uint Group, ulong Bucket, ulong Index, int Most = 0)
{
    public void Write(WireWriter writer)
    {
        writer.UInt(Group);
        writer.ULong(Bucket);
        writer.ULong(Index);
        writer.UShort((ushort)Most);
    }

    /// <summary>False: it is none.</summary>
    public static bool TryRead(ReadOnlySpan<byte> content, out ListAsk ask)
    {
        var reader = new WireReader(content);
        ask = new ListAsk(reader.UInt(), reader.ULong(), reader.ULong(), reader.UShort());
        return !reader.IsBroken && reader.Left == 0;
    }
}
