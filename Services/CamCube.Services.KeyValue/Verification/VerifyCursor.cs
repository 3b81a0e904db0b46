using System.Globalization;

namespace CamCube.Services.KeyValue.Verification;

/// <summary>Where a comparison of all copies goes on.</summary>
/// <param name="Group">The group.</param>
/// <param name="After">Up to this version it is compared.</param>
/// <param name="Until">The last version that is compared; 0: it is not known yet.</param>
/// <param name="Piece">One more than the piece from which on those of the value with version <paramref name="After"/>
/// are compared; 0: they are.</param>
internal readonly record struct VerifyCursor(uint Group, ulong After, ulong Until, uint Piece)
{
    /// <inheritdoc/>
    public override string ToString() => $"{Group}-{After}-{Until}-{Piece}";

    /// <summary>Null: it is none.</summary>
    public static VerifyCursor? Read(string text) =>
        text.Split('-') is [var group, var after, var until, var piece]
        && uint.TryParse(group, NumberStyles.None, CultureInfo.InvariantCulture, out uint g)
        && ulong.TryParse(after, NumberStyles.None, CultureInfo.InvariantCulture, out ulong a)
        && ulong.TryParse(until, NumberStyles.None, CultureInfo.InvariantCulture, out ulong u)
        && uint.TryParse(piece, NumberStyles.None, CultureInfo.InvariantCulture, out uint p)
            ? new VerifyCursor(g, a, u, p)
            : null;
}
