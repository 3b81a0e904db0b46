namespace CamCube.Loads.Choosing;

/// <summary>Chooses records by their numbers, of which there are more and more. One thread.</summary>
public sealed class KeyChooser
{
    /// <summary>YCSB's skew.</summary>
    public const double Theta = 0.99;

    // YCSB draws from so many and folds them into the records, so that as many records more change little.
    private const long Folded = 10_000_000_000;
    private readonly KeyDistribution _distribution;
    private readonly InsertedKeys _inserted;
    private readonly LoadRandom _random;
    private readonly Zipfian? _zipfian;

    /// <summary>A chooser.</summary>
    /// <param name="distribution">Which how often.</param>
    /// <param name="inserted">What there is to choose from.</param>
    /// <param name="random">Draws.</param>
    public KeyChooser(KeyDistribution distribution, InsertedKeys inserted, LoadRandom random)
    {
        (_distribution, _inserted, _random) = (distribution, inserted, random);
        _zipfian = distribution switch
        {
            KeyDistribution.Zipfian => new Zipfian(Folded, Theta),
            KeyDistribution.Latest => new Zipfian(Math.Max(inserted.Count, 1), Theta),
            _ => null,
        };
    }

    /// <summary>The number of a record that is there.</summary>
    public long Next()
    {
        long count = Math.Max(_inserted.Count, 1);
        if (_zipfian is null)
        {
            return _random.Below(count);
        }

        if (_distribution == KeyDistribution.Zipfian)
        {
            return (long)(LoadRandom.Mix((ulong)_zipfian.Next(_random)) % (ulong)count);
        }

        _zipfian.SetCount(count);
        return count - 1 - _zipfian.Next(_random);
    }
}
