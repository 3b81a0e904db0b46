namespace CamCube.Loads.Choosing;

/// <summary>Random numbers of a load: equal seeds, equal numbers, on every machine (SplitMix64). One thread.</summary>
/// <param name="seed">Where it begins.</param>
public sealed class LoadRandom(ulong seed)
{
    private const ulong Step = 0x9E3779B97F4A7C15;
    private ulong _state = seed;

    /// <summary>Any number.</summary>
    public ulong Next() => Mix(_state += Step);

    /// <summary>From 0 up to a number, that not included.</summary>
    public long Below(long limit) => (long)Math.BigMul(Next(), (ulong)limit, out _);

    /// <summary>From 0 up to 1, that not included.</summary>
    public double Part() => (Next() >> 11) * (1.0 / (1UL << 53));

    /// <summary>Another number for each number: no two have the same.</summary>
    public static ulong Mix(ulong number)
    {
        // Without it 0 would be 0, and the most frequent record the first.
        number += Step;
        number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9;
        number = (number ^ (number >> 27)) * 0x94D049BB133111EB;
        return number ^ (number >> 31);
    }
}
