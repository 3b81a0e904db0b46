using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// What an entry has instead of a value that lies in pieces: how long it is, which pieces, and a sum of each, so that
/// no other bytes can be taken for them. All pieces but the last have <see cref="PieceBytes"/>.
/// </summary>
/// <param name="Id">What the pieces have in common.</param>
/// <param name="Length">Bytes of the value.</param>
/// <param name="Sums">A sum of each piece, in order.</param>
internal sealed record PieceList(PieceId Id, long Length, IReadOnlyList<uint> Sums)
{
    /// <summary>Bytes of a piece.</summary>
    public const int PieceBytes = 256 << 10;

    /// <summary>Bytes of the longest value.</summary>
    public const long MostBytes = 1L << 30;

    private const int Head = 3 * sizeof(ulong);

    /// <summary>How many pieces a value has.</summary>
    public static int CountOf(long length) => (int)((length + PieceBytes - 1) / PieceBytes);

    /// <summary>The sum of a piece.</summary>
    public static uint SumOf(ReadOnlySpan<byte> piece) => Sectors.Sum(uint.MaxValue, piece);

    /// <summary>Bytes of one of its pieces.</summary>
    public int LengthOf(int number) => (int)Math.Min(PieceBytes, Length - ((long)number * PieceBytes));

    public byte[] ToBytes()
    {
        byte[] bytes = new byte[Head + (sizeof(uint) * Sums.Count)];
        WriteUInt64LittleEndian(bytes, (ulong)Length);
        WriteUInt64LittleEndian(bytes.AsSpan(8), Id.High);
        WriteUInt64LittleEndian(bytes.AsSpan(16), Id.Low);
        for (int i = 0; i < Sums.Count; i++)
        {
            WriteUInt32LittleEndian(bytes.AsSpan(Head + (sizeof(uint) * i)), Sums[i]);
        }

        return bytes;
    }

    /// <summary>Reads what <see cref="ToBytes"/> wrote. Null: it is no list.</summary>
    public static PieceList? Read(ReadOnlySpan<byte> bytes)
    {
        if (
            bytes.Length < Head
            || ReadUInt64LittleEndian(bytes) is not (var length and > 0 and <= (ulong)MostBytes)
            || bytes.Length != Head + (sizeof(uint) * CountOf((long)length))
        )
        {
            return null;
        }

        uint[] sums = new uint[CountOf((long)length)];
        for (int i = 0; i < sums.Length; i++)
        {
            sums[i] = ReadUInt32LittleEndian(bytes[(Head + (sizeof(uint) * i))..]);
        }

        return new PieceList(
            new PieceId(ReadUInt64LittleEndian(bytes[8..]), ReadUInt64LittleEndian(bytes[16..])),
            (long)length,
            sums
        );
    }
}
