using CamCube.Messaging;
using CamCube.Services.KeyValue.Members;

namespace CamCube.Services.KeyValue.Recovery;

/// <summary>A state that another server fetches from here.</summary>
/// <param name="session">The asker's number for it.</param>
/// <param name="keys">Its keys, in the order in which they are sent.</param>
/// <param name="open">What is sent behind them: changes that are committed and not applied yet.</param>
internal sealed class StateSession(ulong session, UInt128[] keys, (TailEntry Entry, int Record)[] open)
{
    public ulong Session => session;

    public UInt128[] Keys => keys;

    public (TailEntry Entry, int Record)[] Open => open;

    /// <summary>Keys and changes that are sent.</summary>
    public int Count => keys.Length + open.Length;

    /// <summary>What is said of it, in every part.</summary>
    public required Wire.StateChunk Head { get; init; }

    /// <summary>Sent behind the last record.</summary>
    public required BallotRuns Runs { get; init; }

    /// <summary>The part that was sent last.</summary>
    public MessageTicket Sent { get; set; }

    /// <summary>The keys before that part.</summary>
    public uint SentFrom { get; set; }

    /// <summary>Behind that: what is known of requests, as of the state.</summary>
    public required byte[] Requests { get; init; }

    public long UsedNanos { get; set; }

    /// <summary>A part is being read from the disk.</summary>
    public bool IsBusy { get; set; }
}
