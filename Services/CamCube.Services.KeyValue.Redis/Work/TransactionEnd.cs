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

    /// <summary>The answer would be longer than it may be.</summary>
    public static TransactionEnd TooLong => new(KeyValueStatus.TooLarge) { Reason = Errors.LongAnswer };

    /// <summary>There is no memory for what comes of it.</summary>
    public static TransactionEnd LacksMemory => new(KeyValueStatus.Full) { Reason = Errors.NoMemory };

    /// <summary>A key that was watched is another.</summary>
    public bool IsTouched { get; private init; }

    /// <summary>It was one of several keys.</summary>
    public bool IsBatch { get; init; }

    private string? Reason { get; init; }

    /// <summary>Answers with an error, of one that is not done.</summary>
    public void Refuse(Reply reply)
    {
        reply.Clear();
        string? reason =
            Status == KeyValueStatus.Conflict ? Errors.TryAgain
            : Status == KeyValueStatus.TooLarge && IsBatch ? Errors.TooLongTogether
            : Reason;
        if (reason is null)
        {
            reply.Refuse(Status);
        }
        else
        {
            reply.Error(reason);
        }
    }
}
