namespace CamCube.Services.Distribution.Coding;

/// <summary>A group of which some pieces came, and some are still to come. Used again. Loop only.</summary>
internal sealed class OpenGroup
{
    /// <summary>Its number; less than 0: it is none.</summary>
    public int Number { get; set; } = -1;

    /// <summary>Trees whose pieces are in the sums, or are nothing but zeros.</summary>
    public uint Known { get; set; }

    /// <summary>The sum P; then, once all that is needed came, a piece that did not come.</summary>
    public byte[] P { get; set; } = [];

    /// <summary>The sum Q, likewise; empty: the code has none.</summary>
    public byte[] Q { get; set; } = [];

    /// <summary>Trees whose pieces were made, and are to be taken.</summary>
    public uint Made { get; set; }

    /// <summary>The tree whose piece is in <see cref="P"/>'s place.</summary>
    public int OfP { get; set; }
}
