using CamCube.Services.KeyValue.Redis.Protocol;

namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>How a transaction ended.</summary>
/// <param name="Status">Done; or why not.</param>
internal readonly record struct TransactionEnd(KeyValueStatus Status)
{
    /// <summary>A key that was watched is another.</summary>
    public static TransactionEnd Touched => new(KeyValueStatus.Conflict) { IsTouched = true };

    /// <summary>Others were faster all the time.</summary>
    public static TransactionEnd Outrun => new(KeyValueStatus.Conflict);

    /// <summary>A key that was watched is another.</summary>
    public bool IsTouched { get; private init; }

    /// <summary>It was one of several keys.</summary>
    public bool IsBatch { get; init; }

    /// <summary>It in words, of one that is not done.</summary>
    public string Error =>
        Status == KeyValueStatus.Conflict ? Errors.TryAgain
        : Status == KeyValueStatus.TooLarge && IsBatch ? Errors.TooLongTogether
        : Errors.Of(Status);
}
