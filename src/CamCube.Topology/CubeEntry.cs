namespace CamCube.Topology;

/// <summary>
/// What one server said about itself: which of its links are up and whether it has its keys, with a version that orders
/// all it ever says: first by incarnation, then by sequence.
/// </summary>
/// <param name="Server">Who says it, about itself.</param>
/// <param name="Incarnation">The run of that server.</param>
/// <param name="Sequence">Counts from 1 within a run.</param>
/// <param name="Bits">Bits 0–5: the link of that number is up. Bit 6: it has its keys.</param>
public readonly record struct CubeEntry(Coordinate Server, ulong Incarnation, uint Sequence, byte Bits)
{
    /// <summary>The bit of <see cref="Bits"/> that says "has its keys".</summary>
    public const byte KeysBit = 0x40;

    /// <summary>Links that the server reports as up.</summary>
    public LinkSet LinksUp => new((byte)(Bits & 0x3F));

    /// <summary>Whether the server announces its keys.</summary>
    public bool HasKeys => (Bits & KeysBit) != 0;

    /// <summary>Whether this was said after the other one, by the same server.</summary>
    public bool IsNewerThan(in CubeEntry other) =>
        Incarnation > other.Incarnation || (Incarnation == other.Incarnation && Sequence > other.Sequence);

    /// <summary>
    /// Whether a server of this shape can say it: it lies inside, the version is not 0, and only links with cables are
    /// up.
    /// </summary>
    public bool Fits(TorusShape shape) =>
        shape.Contains(Server) && Sequence != 0 && (Bits & ~(shape.CabledLinks(Server).Bits | KeysBit)) == 0;

    /// <summary>64 bits that differ for different entries.</summary>
    internal ulong Hash()
    {
        ulong hash = Mix(Server.Packed + 0x9E3779B97F4A7C15UL);
        hash = Mix(hash ^ Incarnation);
        return Mix(hash ^ ((ulong)Sequence << 8) ^ Bits);
    }

    // The finalizer of SplitMix64: every input bit changes every output bit with probability one half.
    internal static ulong Mix(ulong value)
    {
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9UL;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EBUL;
        return value ^ (value >> 31);
    }
}
