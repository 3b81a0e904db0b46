namespace CamCube.Services.Cache.HotSpots;

/// <summary>How many extra keys an item has: by the longest prefix of its client key that a setting names. Any
/// thread.</summary>
internal sealed class ReplicaRules
{
    private readonly ReplicaRule[] _longestFirst;
    private readonly int _default;

    /// <param name="options">Settings, valid.</param>
    /// <param name="servers">Servers of the cube: alone, a server has no use for copies.</param>
    public ReplicaRules(CacheOptions options, int servers)
    {
        bool isAlone = servers == 1;
        _default = isAlone ? 0 : options.DefaultReplicas;
        _longestFirst = isAlone ? [] : [.. options.Replicas.Select(Parse).OrderByDescending(r => r.Prefix.Length)];
        HasAny = _default > 0 || Array.Exists(_longestFirst, r => r.Replicas > 0);
    }

    /// <summary>Whether any item may have copies.</summary>
    public bool HasAny { get; }

    /// <summary>Extra keys of an item.</summary>
    public int Of(ReadOnlySpan<byte> clientKey)
    {
        foreach (ReplicaRule rule in _longestFirst)
        {
            if (clientKey.StartsWith(rule.Prefix))
            {
                return rule.Replicas;
            }
        }

        return _default;
    }

    private static ReplicaRule Parse(string text) =>
        ReplicaRule.TryParse(text, out ReplicaRule? rule)
            ? rule
            : throw new ArgumentException($"{text} is no rule.", nameof(text));
}
