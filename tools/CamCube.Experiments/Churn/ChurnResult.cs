namespace CamCube.Experiments.Churn;

/// <summary>What a churn experiment measured, of the packets that were sent in the measured time.</summary>
public sealed record ChurnResult
{
    /// <summary>Servers that failed.</summary>
    public required int Failures { get; init; }

    /// <summary>Servers that ran, on average over time.</summary>
    public required double MeanRunning { get; init; }

    /// <summary>Packets sent.</summary>
    public required long Sent { get; init; }

    /// <summary>Packets that ended at a server, right or wrong.</summary>
    public required long Delivered { get; init; }

    /// <summary>Packets that ended at a server that was not the oracle's root of their key at that moment.</summary>
    public required long Misdelivered { get; init; }

    /// <summary>The first misdelivered packets, in words.</summary>
    public required IReadOnlyList<string> Misdeliveries { get; init; }

    /// <summary>Packets delivered at a server that was cut off from the majority of the cube.</summary>
    public required long DeliveredInMinority { get; init; }

    /// <summary>Packets that could not be sent because a server's packet budget was used up.</summary>
    public required long Unsent { get; init; }

    /// <summary>Returns of failed servers that were seen to their end.</summary>
    public required int Returns { get; init; }

    /// <summary>Mean milliseconds from the start of a failed server to the moment it has its keys.</summary>
    public required double MeanReturnMillis { get; init; }

    /// <summary>Packets that arrived over a cable, link state included, from the first moment to the last.</summary>
    public required long PacketHops { get; init; }

    /// <summary>The hash over everything that happened.</summary>
    public required ulong TraceHash { get; init; }

    /// <summary>Packets that ended nowhere, as a part of those sent.</summary>
    public double PartDropped => Sent == 0 ? 0 : (double)(Sent - Delivered) / Sent;
}
