using System.Text;
using CamCube.Services.Images.Pictures.Formats;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.Images.Wire;

/// <summary>Answers as bytes: status, format, marks (1: pending), a zero, then version, length (8 bytes each), width
/// and height (4 each), length of the words (2), the words; what is behind them is a variant.</summary>
internal static class AnswerFormat
{
    private const int Fixed = 30;
    private const int MostWords = 500;

    /// <summary>An answer, and the variant that is behind it.</summary>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out ImageAnswer answer, out ReadOnlySpan<byte> variant)
    {
        answer = default;
        variant = default;
        if (bytes.Length < Fixed || bytes[0] > (byte)ImageStatus.NoWorkers)
        {
            return false;
        }

        int words = ReadUInt16LittleEndian(bytes[28..]);
        if (words > bytes.Length - Fixed)
        {
            return false;
        }

        var format = (PictureFormat)bytes[1];
        answer = new ImageAnswer((ImageStatus)bytes[0], ReadUInt64LittleEndian(bytes[4..]))
        {
            MediaType = MediaTypes.Of(format),
            IsPending = bytes[2] == 1,
            Length = ReadInt64LittleEndian(bytes[12..]),
            Width = ReadInt32LittleEndian(bytes[20..]),
            Height = ReadInt32LittleEndian(bytes[24..]),
            Words = words > 0 ? Encoding.UTF8.GetString(bytes.Slice(Fixed, words)) : null,
        };
        variant = bytes[(Fixed + words)..];
        return true;
    }

    /// <summary>What goes in front of a variant.</summary>
    public static byte[] ToBytes(in ImageAnswer answer)
    {
        string text = answer.Words ?? "";
        byte[] words = Encoding.UTF8.GetBytes(text.Length > MostWords ? text[..MostWords] : text);
        byte[] bytes = new byte[Fixed + words.Length];
        bytes[0] = (byte)answer.Status;
        bytes[1] = (byte)MediaTypes.FormatOf(answer.MediaType);
        bytes[2] = answer.IsPending ? (byte)1 : (byte)0;
        WriteUInt64LittleEndian(bytes.AsSpan(4), answer.Version);
        WriteInt64LittleEndian(bytes.AsSpan(12), answer.Length);
        WriteInt32LittleEndian(bytes.AsSpan(20), answer.Width);
        WriteInt32LittleEndian(bytes.AsSpan(24), answer.Height);
        WriteUInt16LittleEndian(bytes.AsSpan(28), (ushort)words.Length);
        words.CopyTo(bytes.AsSpan(Fixed));
        return bytes;
    }
}
