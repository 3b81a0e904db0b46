using System.Buffers.Binary;
using System.Buffers.Text;

namespace CamCube.Services.Cache.Backing;

/// <summary>
/// memcached's flags beside a value in the key-value store, so that its other clients read the value alone: as the
/// field
/// <c>flags</c> of what front ends keep there (docs/key-value.md, <c>X-Meta-Flags</c> over HTTP). 0 is kept as nothing.
/// Loop only.
/// </summary>
internal sealed class BesideFlags
{
    private const byte Format = 1;
    private const int LengthSize = sizeof(ushort);
    private const int MostDigits = 10;
    private byte[] _last = [];
    private uint _lastFlags;

    /// <summary>What is kept for flags. The same array again while they are the same; nobody may write to it.</summary>
    public ReadOnlyMemory<byte> Of(uint flags)
    {
        if (flags == _lastFlags)
        {
            return _last;
        }

        Span<byte> digits = stackalloc byte[MostDigits];
        Utf8Formatter.TryFormat(flags, digits, out int length);
        ReadOnlySpan<byte> name = "flags"u8;

        // A content type of no characters, a name, a value.
        byte[] bytes = new byte[1 + LengthSize + LengthSize + name.Length + LengthSize + length];
        bytes[0] = Format;
        Put(Put(bytes.AsSpan(1 + LengthSize), name), digits[..length]);
        (_lastFlags, _last) = (flags, bytes);
        return bytes;
    }

    /// <summary>The flags in what is kept; 0 where there are none, or somebody keeps something else.</summary>
    public static uint Read(ReadOnlySpan<byte> beside)
    {
        if (beside.Length <= 1 || beside[0] != Format)
        {
            return 0;
        }

        beside = beside[1..];
        if (!TryTake(ref beside, out _))
        {
            return 0;
        }

        while (TryTake(ref beside, out ReadOnlySpan<byte> name) && TryTake(ref beside, out ReadOnlySpan<byte> value))
        {
            if (name.SequenceEqual("flags"u8))
            {
                bool isNumber = Utf8Parser.TryParse(value, out uint flags, out int used) && used == value.Length;
                return isNumber ? flags : 0;
            }
        }

        return 0;
    }

    private static Span<byte> Put(Span<byte> target, ReadOnlySpan<byte> text)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(target, (ushort)text.Length);
        text.CopyTo(target[LengthSize..]);
        return target[(LengthSize + text.Length)..];
    }

    private static bool TryTake(ref ReadOnlySpan<byte> bytes, out ReadOnlySpan<byte> text)
    {
        text = default;
        if (bytes.Length < LengthSize)
        {
            return false;
        }

        int length = BinaryPrimitives.ReadUInt16LittleEndian(bytes);
        bytes = bytes[LengthSize..];
        if (length > bytes.Length)
        {
            return false;
        }

        text = bytes[..length];
        bytes = bytes[length..];
        return true;
    }
}
