namespace CamCube.Services.Cache.Store;

/// <summary>One operation as the root does it: nothing in it outlives the call.</summary>
internal readonly ref struct Command
{
    /// <summary>What is to be done.</summary>
    public CacheTerms Terms { get; init; }

    public Key MemId { get; init; }

    public ReadOnlySpan<byte> ClientKey { get; init; }

    public ReadOnlySpan<byte> Value { get; init; }

    /// <summary>The value was larger than the largest item and did not travel: a set removes what is there and
    /// fails.</summary>
    public bool IsTooLarge { get; init; }

    /// <summary>Whether an option was given.</summary>
    public bool Has(CacheTermOptions option) => (Terms.Options & option) != 0;
}
