namespace CamCube.Tests;

/// <summary>
/// How many inputs fuzzers draw, and from which seed: 100,000 of a new one each time, or what
/// <c>CAMCUBE_FUZZ_INPUTS</c> and <c>CAMCUBE_FUZZ_SEED</c> say. Compiled into each test project that fuzzes a wire
/// format.
/// </summary>
internal static class FuzzInputs
{
    /// <summary>Inputs per fuzzer.</summary>
    public static int Count { get; } =
        int.TryParse(Environment.GetEnvironmentVariable("CAMCUBE_FUZZ_INPUTS"), out int count) ? count : 100_000;

    /// <summary>Runs a fuzzer; what goes wrong is told with the seed that makes it go wrong again.</summary>
    public static void Run(Action<Random, int> fuzz)
    {
        int seed = int.TryParse(Environment.GetEnvironmentVariable("CAMCUBE_FUZZ_SEED"), out int given)
            ? given
            : Random.Shared.Next();
        TestContext.Current.TestOutputHelper?.WriteLine($"CAMCUBE_FUZZ_SEED={seed} CAMCUBE_FUZZ_INPUTS={Count}");
        try
        {
            fuzz(new Random(seed), Count);
        }
        catch (Exception e)
        {
            throw new InvalidOperationException(
                $"CAMCUBE_FUZZ_SEED={seed} CAMCUBE_FUZZ_INPUTS={Count}: {e.Message}",
                e
            );
        }
    }

    /// <summary>A length from the whole range, small ones and the ends more often.</summary>
    public static int Length(this Random random, int most) =>
        random.Next(6) switch
        {
            0 => Math.Min(random.Next(80), most),
            1 => most - random.Next(Math.Min(3, most + 1)),
            2 => Math.Min(random.Next(2_000), most),
            _ => random.Next(most + 1),
        };

    /// <summary>A number of so many bytes at a place: all values, those near the ends and near what stands there more
    /// often.</summary>
    public static void DrawNumber(this Random random, Span<byte> at)
    {
        ulong before = 0;
        for (int i = at.Length - 1; i >= 0; i--)
        {
            before = (before << 8) | at[i];
        }

        ulong value = random.Next(5) switch
        {
            0 => before + (ulong)random.Next(-3, 4),
            1 => (ulong)random.Next(4),
            2 => ulong.MaxValue - (ulong)random.Next(4),
            _ => (ulong)random.NextInt64(),
        };
        for (int i = 0; i < at.Length; i++, value >>= 8)
        {
            at[i] = (byte)value;
        }
    }

    /// <summary>The input with bytes turned, cut, longer, doubled in the middle, or a part of another.</summary>
    public static byte[] Bend(this Random random, byte[] input, byte[] other, int most)
    {
        byte[] bent = [.. input];
        for (int changes = random.Next(1, 4); changes > 0; changes--)
        {
            int at = random.Next(bent.Length + 1);
            switch (bent.Length == 0 ? 3 : random.Next(7))
            {
                case 0:
                    bent[random.Next(bent.Length)] ^= (byte)(1 << random.Next(8));
                    break;
                case 1:
                    random.DrawNumber(bent.AsSpan(at, Math.Min(1 << random.Next(4), bent.Length - at)));
                    break;
                case 2:
                    bent = bent[..at];
                    break;
                case 3:
                    Array.Resize(ref bent, random.Length(most));
                    break;
                case 4:
                    bent = [.. bent[..at], .. other[Math.Min(at, other.Length)..]];
                    break;
                case 5:
                    bent = [.. bent[..at], .. bent[random.Next(at + 1)..]];
                    break;
                default:
                    random.NextBytes(bent.AsSpan(at));
                    break;
            }
        }

        return bent.Length > most ? bent[..most] : bent;
    }
}
