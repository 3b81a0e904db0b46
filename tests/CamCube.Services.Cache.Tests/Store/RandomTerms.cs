namespace CamCube.Services.Cache.Tests.Store;

/// <summary>Operations with random terms, and tokens as two caches that number theirs differently know them.</summary>
internal sealed class RandomTerms(int seed)
{
    private readonly Random _random = new(seed);
    private readonly List<(string Key, ulong Model, ulong Real)> _tokens = [];

    public bool OneIn(int n) => _random.Next(n) == 0;

    public string Key() => $"k{_random.Next(12)}";

    public string Value() =>
        OneIn(2) ? $"{_random.Next(1_200)}" : new((char)('a' + _random.Next(26)), _random.Next(60));

    /// <summary>Terms with a token as the model knows it, and the same token as the real cache does.</summary>
    public (CacheTerms Model, CacheTerms Real) Next(string key)
    {
        CacheTermOptions options = default;
        for (int bit = 0; bit < 8; bit++)
        {
            options |= OneIn(4) ? (CacheTermOptions)(1 << bit) : default;
        }

        var operation = (CacheOperation)_random.Next((int)CacheOperation.Inspect + 1);
        (ulong model, ulong real) = operation == CacheOperation.CompareAndSwap || OneIn(6) ? Token(key) : (0, 0);
        var terms = new CacheTerms
        {
            Operation = operation,
            Options = options,
            Flags = (uint)_random.Next(5),
            Expiry = Expiry(),
            VivifyExpiry = Expiry(),
            Delta = (ulong)_random.Next(300),
            Initial = (ulong)_random.Next(1_000),
            RecacheSeconds = (int)Expiry(),
            Cas = model,
        };
        return (terms, terms with { Cas = real });
    }

    /// <summary>A token was given.</summary>
    public void Learn(string key, ulong model, ulong real) => _tokens.Add((key, model, real));

    private long Expiry() =>
        _random.Next(6) switch
        {
            0 => -1,
            1 or 2 => _random.Next(1, 20),
            3 => 1_000,
            _ => 0,
        };

    private (ulong Model, ulong Real) Token(string key)
    {
        for (int i = _tokens.Count - 1; i >= Math.Max(0, _tokens.Count - 100); i--)
        {
            if (_tokens[i].Key == key && _random.Next(3) > 0)
            {
                return (_tokens[i].Model, _tokens[i].Real);
            }
        }

        return (ulong.MaxValue, ulong.MaxValue);
    }
}
