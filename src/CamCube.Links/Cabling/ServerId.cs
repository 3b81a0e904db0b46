using System.Globalization;

namespace CamCube.Cabling;

/// <summary>A server's identity: drawn once, kept for life, whatever its place. Ordered as numbers. Pure data; any
/// thread.</summary>
/// <param name="Value">The 64 bits.</param>
public readonly record struct ServerId(ulong Value) : IComparable<ServerId>
{
    /// <summary>The first 8 of its 16 hexadecimal digits: enough for people to tell servers apart.</summary>
    public string Short => ToString()[..8];

    /// <inheritdoc/>
    public int CompareTo(ServerId other) => Value.CompareTo(other.Value);

    /// <summary>16 hexadecimal digits.</summary>
    public override string ToString() => Value.ToString("x16", CultureInfo.InvariantCulture);

    /// <summary>Reads 16 hexadecimal digits.</summary>
    public static bool TryParse(ReadOnlySpan<char> text, out ServerId id)
    {
        bool isId =
            ulong.TryParse(text, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong value)
            && text.Length == 16;
        id = new ServerId(value);
        return isId;
    }
}
