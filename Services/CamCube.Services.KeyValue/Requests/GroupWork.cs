using CamCube.Calls;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>Requests of one group that this server leads.</summary>
internal sealed class GroupWork
{
    /// <summary>Changes in the log that are not visible yet, and who waits for them; nobody of those that an earlier
    /// leader wrote, until it asks again.</summary>
    public Dictionary<RequestId, Waiter?> Pending { get; } = [];

    /// <summary>Changes whose value is being read, and who waits for them.</summary>
    public Dictionary<RequestId, Waiter> Looks { get; } = [];

    /// <summary>The last change of each key among them, and its index.</summary>
    public Dictionary<UInt128, (ulong Index, Operation Operation)> Latest { get; } = [];

    /// <summary>Reads that wait for a round or for its end, in their order.</summary>
    public List<WaitingRead> Reads { get; } = [];

    /// <summary>Who waits for another version.</summary>
    public Waits Waits { get; } = new();

    /// <summary>When the last round was begun.</summary>
    public long RoundNanos { get; set; }

    /// <summary>A round is under way.</summary>
    public bool IsAsking { get; set; }
}
