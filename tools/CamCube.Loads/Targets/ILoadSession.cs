using CamCube.Loads.Operations;

namespace CamCube.Loads.Targets;

/// <summary>A server that is asked by calls that wait, of which there may be several at a time.</summary>
internal interface ILoadSession : IDisposable
{
    /// <summary>Asks.</summary>
    /// <param name="operation">What.</param>
    /// <param name="cancel">No longer.</param>
    /// <returns>Null: it was done. Else the kind of failure, one word.</returns>
    Task<string?> AskAsync(LoadOperation operation, CancellationToken cancel);
}
