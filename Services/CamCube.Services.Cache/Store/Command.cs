namespace CamCube.Services.Cache.Store;

/// <summary>One operation as the root does it: nothing in it outlives the call.</summary>
internal readonly ref struct Command
{
    /// <summary>What is to be done.</summary>
    public CacheTerms Terms { get; init; }

    /// <summary>The store's hash of the key.</summary>
    public ulong Hash { get; init; }

    /// <summary>The group that the key's items are of now.</summary>
    public ItemGroup Group { get; init; }

    public ReadOnlySpan<byte> ClientKey { get; init; }

    public ReadOnlySpan<byte> Value { get; init; }

    /// <summary>The value was larger than the largest item and did not travel: a set removes what is there and
    /// fails.</summary>
    public bool IsTooLarge { get; init; }

    /// <summary>The same at its place in the store, with the times of its clock.</summary>
    public Command At(ulong hash, ItemGroup group, CacheClock clock) =>
        new()
        {
            Terms = clock.Translate(Terms),
            Hash = hash,
            Group = group,
            ClientKey = ClientKey,
            Value = Value,
            IsTooLarge = IsTooLarge,
        };

    /// <summary>The same with another value.</summary>
    public Command With(ReadOnlySpan<byte> value) =>
        new()
        {
            Terms = Terms,
            Hash = Hash,
            Group = Group,
            ClientKey = ClientKey,
            Value = value,
        };

    /// <summary>Whether an option was given.</summary>
    public bool Has(CacheTermOptions option) => (Terms.Options & option) != 0;
}
