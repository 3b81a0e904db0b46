using CamCube.Services.KeyValue.Coding;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>Asks a member for its copies of some keys of a group, in the order of their versions.</summary>
/// <param name="Group">The group.</param>
/// <param name="After">Copies with later versions than this are meant.</param>
/// <param name="Until">The latest version that is meant.</param>
/// <param name="Piece">Of the value in pieces with version <paramref name="Until"/> those from this one on, and nothing
/// else; <see cref="NoPiece"/>: copies.</param>
/// <param name="WithKeys">The keys are wanted, too.</param>
internal readonly record struct CopyAsk(uint Group, ulong After, ulong Until, uint Piece, bool WithKeys)
{
    public const uint NoPiece = uint.MaxValue;

    public void Write(WireWriter writer)
    {
        writer.UInt(Group);
        writer.ULong(After);
        writer.ULong(Until);
        writer.UInt(Piece);
        writer.Byte(WithKeys ? (byte)1 : (byte)0);
    }

    /// <summary>False: it is none.</summary>
    public static bool TryRead(ReadOnlySpan<byte> content, out CopyAsk ask)
    {
        var reader = new WireReader(content);
        ask = new CopyAsk(reader.UInt(), reader.ULong(), reader.ULong(), reader.UInt(), reader.Byte() != 0);
        return !reader.IsBroken && reader.Left == 0;
    }
}
