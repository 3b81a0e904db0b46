namespace CamCube.Faults;

/// <summary>The random stream of the faults on one server's links (splitmix64): of (seed, server), so others' draws do
/// not change it.</summary>
public struct FaultRandom
{
    private ulong _state;

    /// <summary>The stream of one server.</summary>
    public FaultRandom(ulong seed, int rank)
    {
        // "links" in ASCII keeps it apart from other streams of the same seed and server.
        _state = seed ^ 0x6C69_6E6B_7300_0000UL;
        _state = Next() ^ (uint)rank;
        _state = Next();
    }

    /// <summary>64 random bits.</summary>
    public ulong Next()
    {
        ulong z = _state += 0x9E37_79B9_7F4A_7C15UL;
        z = (z ^ (z >> 30)) * 0xBF58_476D_1CE4_E5B9UL;
        z = (z ^ (z >> 27)) * 0x94D0_49BB_1331_11EBUL;
        return z ^ (z >> 31);
    }

    /// <summary>True with this probability.</summary>
    public bool Chance(double probability) => (Next() >> 11) * (1.0 / (1UL << 53)) < probability;

    /// <summary>A number from 0 up to and without <paramref name="range"/>; 0 for 0.</summary>
    public long Below(long range) => (long)Math.BigMul(Next(), (ulong)range, out _);
}
