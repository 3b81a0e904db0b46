namespace CamCube.Experiments;

/// <summary>
/// Random numbers for what an experiment does to its cube from outside: which servers fail and when. A stream of its
/// own per seed and purpose, the same on every machine and runtime (splitmix64). One thread.
/// </summary>
public sealed class DrawStream
{
    private ulong _state;

    /// <summary>A stream that begins anew.</summary>
    public DrawStream(ulong seed, string purpose)
    {
        _state = seed;
        foreach (char c in purpose)
        {
            _state = Draw() ^ c;
        }
    }

    /// <summary>From 0 to below a number above 0.</summary>
    public int Next(int below) => (int)Math.BigMul(Draw(), (ulong)below, out _);

    /// <summary>From 0 to below 1.</summary>
    public double NextDouble() => (Draw() >> 11) * (1.0 / (1UL << 53));

    /// <summary>Exponential with this mean.</summary>
    public double NextExponential(double mean) => -mean * Math.Log(1 - NextDouble());

    /// <summary>Some of the numbers from 0 to below another, each once, in random order.</summary>
    public int[] Choose(int some, int below)
    {
        int[] all = [.. Enumerable.Range(0, below)];
        for (int i = 0; i < some; i++)
        {
            int j = i + Next(below - i);
            (all[i], all[j]) = (all[j], all[i]);
        }

        return all[..some];
    }

    private ulong Draw()
    {
        ulong z = _state += 0x9E37_79B9_7F4A_7C15UL;
        z = (z ^ (z >> 30)) * 0xBF58_476D_1CE4_E5B9UL;
        z = (z ^ (z >> 27)) * 0x94D0_49BB_1331_11EBUL;
        return z ^ (z >> 31);
    }
}
