namespace CamCube.Swarm.Determinism;

/// <summary>The numbers that a scenario is drawn from (splitmix64): of the seed alone, the same in every
/// process.</summary>
public sealed class ScenarioDraws(ulong seed)
{
    private ulong _state = seed;

    /// <summary>From 0 up to and without <paramref name="range"/>.</summary>
    public int Below(int range) => (int)Math.BigMul(Next(), (ulong)range, out _);

    /// <summary>From <paramref name="least"/> up to and including <paramref name="most"/>.</summary>
    public int From(int least, int most) => least + Below(most - least + 1);

    /// <summary>A time before <paramref name="end"/>.</summary>
    public long TimeBefore(long end) => (long)Math.BigMul(Next(), (ulong)end, out _);

    private ulong Next()
    {
        ulong z = _state += 0x9E37_79B9_7F4A_7C15UL;
        z = (z ^ (z >> 30)) * 0xBF58_476D_1CE4_E5B9UL;
        z = (z ^ (z >> 27)) * 0x94D0_49BB_1331_11EBUL;
        return z ^ (z >> 31);
    }
}
