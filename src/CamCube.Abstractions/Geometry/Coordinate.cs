using System.Globalization;
using System.Runtime.InteropServices;

namespace CamCube;

/// <summary>
/// A server's place in the torus, fixed for life (HPDC §3.1). Six bytes, blittable: may stand in packet headers.
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 2)]
public readonly record struct Coordinate(ushort X, ushort Y, ushort Z)
{
    /// <summary>Component of axis 0, 1 or 2.</summary>
    public int this[int axis] =>
        axis switch
        {
            0 => X,
            1 => Y,
            _ => Z,
        };

    /// <summary>The coordinate in the upper 48 bits, as a key's route has it: x 63–48, y 47–32, z 31–16.</summary>
    public ulong Packed => ((ulong)X << 48) | ((ulong)Y << 32) | ((ulong)Z << 16);

    /// <summary>This coordinate with one component replaced.</summary>
    public Coordinate With(int axis, int value) =>
        axis switch
        {
            0 => this with { X = (ushort)value },
            1 => this with { Y = (ushort)value },
            _ => this with { Z = (ushort)value },
        };

    /// <summary>Reads "x,y,z" (three decimal numbers from 0 to 65,535).</summary>
    public static bool TryParse(ReadOnlySpan<char> text, out Coordinate coordinate)
    {
        coordinate = default;
        Span<Range> parts = stackalloc Range[4];
        if (text.Split(parts, ',') != 3)
        {
            return false;
        }

        if (
            !TryNumber(text[parts[0]], out ushort x)
            || !TryNumber(text[parts[1]], out ushort y)
            || !TryNumber(text[parts[2]], out ushort z)
        )
        {
            return false;
        }

        coordinate = new Coordinate(x, y, z);
        return true;
    }

    /// <summary>"x,y,z": the form used in JSON, on the command line and in configuration.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{X},{Y},{Z}");

    /// <summary>The coordinate in the upper 48 bits, as <see cref="Packed"/> has it.</summary>
    public static Coordinate Unpack(ulong packed) =>
        new((ushort)(packed >> 48), (ushort)(packed >> 32), (ushort)(packed >> 16));

    private static bool TryNumber(ReadOnlySpan<char> text, out ushort value) =>
        ushort.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value);
}
