using System.Buffers.Binary;
using System.Text;

namespace CamCube.Services.Distribution.Wire;

/// <summary>What a member says of itself: stage 1, bytes 8, words in UTF-8.</summary>
/// <param name="Stage">Where it is. <see cref="MemberStage.Waiting"/>: tell me (again) what job this is.</param>
/// <param name="Bytes">Bytes of the file that it has.</param>
/// <param name="Words">What went wrong, or what it waits for; null: nothing.</param>
internal readonly record struct MemberReport(MemberStage Stage, long Bytes, string? Words)
{
    /// <summary>Most bytes of the words.</summary>
    public const int MostWords = 300;

    private const int HeadLength = 1 + sizeof(long);

    /// <summary>Most bytes of all.</summary>
    public const int MostBytes = HeadLength + MostWords;

    /// <summary>Writes it. Returns its length.</summary>
    /// <param name="to">Room for <see cref="MostBytes"/>.</param>
    public int Write(Span<byte> to)
    {
        to[0] = (byte)Stage;
        BinaryPrimitives.WriteInt64LittleEndian(to[1..], Bytes);
        return Words is { } words && Encoding.UTF8.TryGetBytes(words, to[HeadLength..MostBytes], out int length)
            ? HeadLength + length
            : HeadLength;
    }

    /// <summary>Reads it. False: it is none.</summary>
    public static bool TryRead(ReadOnlySpan<byte> from, out MemberReport report)
    {
        report = default;
        if (from.Length is < HeadLength or > MostBytes || from[0] > (byte)MemberStage.Failed)
        {
            return false;
        }

        string? words = from.Length > HeadLength ? Encoding.UTF8.GetString(from[HeadLength..]) : null;
        report = new MemberReport(
            (MemberStage)from[0],
            Math.Max(0, BinaryPrimitives.ReadInt64LittleEndian(from[1..])),
            words
        );
        return true;
    }
}
