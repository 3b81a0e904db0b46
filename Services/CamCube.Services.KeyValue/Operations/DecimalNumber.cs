using System.Buffers.Text;

namespace CamCube.Services.KeyValue.Operations;

/// <summary>Numbers of 64 bits with sign as values: decimal digits, as they are written, and no other
/// spelling.</summary>
internal static class DecimalNumber
{
    /// <summary>Most bytes.</summary>
    public const int MostBytes = 20;

    /// <summary>False: it is none.</summary>
    public static bool TryRead(ReadOnlySpan<byte> text, out long number)
    {
        Span<byte> again = stackalloc byte[MostBytes];
        return Utf8Parser.TryParse(text, out number, out int read)
            && read == text.Length
            && text.SequenceEqual(again[..Write(number, again)]);
    }

    /// <summary>Writes one.</summary>
    /// <returns>Its bytes.</returns>
    public static int Write(long number, Span<byte> to) =>
        Utf8Formatter.TryFormat(number, to, out int length) ? length : 0;
}
