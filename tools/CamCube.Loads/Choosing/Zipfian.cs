namespace CamCube.Loads.Choosing;

/// <summary>
/// Ranks of which the n-th is drawn about n^-theta times as often as the first: Gray et al., Quickly Generating
/// Billion-Record Synthetic Databases (SIGMOD'94), as YCSB draws them. One thread.
/// </summary>
public sealed class Zipfian
{
    // Above this the sum is an integral with its first corrections, which is right to 12 digits.
    private const int Summed = 10_000;
    private readonly double _theta;
    private readonly double _second;
    private double _zeta;
    private double _eta;

    /// <summary>Draws from so many ranks.</summary>
    /// <param name="count">Ranks, from 1.</param>
    /// <param name="theta">The skew, above 0 and below 1; YCSB's is 0.99.</param>
    public Zipfian(long count, double theta)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(theta, 0);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(theta, 1);
        _theta = theta;
        _second = 1 + Math.Pow(0.5, theta);
        SetCount(count);
    }

    /// <summary>Ranks.</summary>
    public long Count { get; private set; }

    /// <summary>Draws from more ranks, or fewer, from now on.</summary>
    public void SetCount(long count)
    {
        if (count != Count)
        {
            _zeta = count == Count + 1 ? _zeta + Math.Pow(count, -_theta) : Zeta(count, _theta);
            Count = count;
            _eta = (1 - Math.Pow(2.0 / count, 1 - _theta)) / (1 - (_second / _zeta));
        }
    }

    /// <summary>A rank from 0: 0 is the most frequent.</summary>
    public long Next(LoadRandom random)
    {
        double part = random.Part(),
            at = part * _zeta;
        if (at < 1 || Count == 1)
        {
            return 0;
        }

        return at < _second || Count == 2
            ? 1
            : Math.Min((long)(Count * Math.Pow((_eta * part) - _eta + 1, 1 / (1 - _theta))), Count - 1);
    }

    /// <summary>The sum of n^-theta for n from 1 to a number.</summary>
    public static double Zeta(long count, double theta)
    {
        double sum = 0;
        long direct = Math.Min(count, Summed);
        for (long n = direct; n >= 1; n--)
        {
            sum += Math.Pow(n, -theta);
        }

        if (count <= Summed)
        {
            return sum;
        }

        // Euler and Maclaurin, from the last that was summed.
        double first = Math.Pow(direct, -theta),
            last = Math.Pow(count, -theta);
        double integral = ((last * count) - (first * direct)) / (1 - theta);
        return sum + integral + ((last - first) / 2) + (theta / 12 * ((first / direct) - (last / count)));
    }
}
