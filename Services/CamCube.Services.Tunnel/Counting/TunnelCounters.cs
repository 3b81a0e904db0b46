namespace CamCube.Services.Tunnel.Counting;

/// <summary>What one server's tunnel counts, also read from outside as <c>camcube.tunnel.*</c>. Loop only.</summary>
internal sealed class TunnelCounters(IServerCounters counters)
{
    /// <summary>Times that the tunnel began in this run of its server.</summary>
    public Counter Starts { get; } = counters.Create("starts", "{start}");

    /// <summary>Frames that the machine sent into the cube.</summary>
    public Counter Read { get; } = counters.Create("read", "{frame}");

    /// <summary>Their bytes.</summary>
    public Counter ReadBytes { get; } = counters.Create("read.bytes", "By");

    /// <summary>Frames that the machine was given.</summary>
    public Counter Written { get; } = counters.Create("written", "{frame}");

    /// <summary>Their bytes.</summary>
    public Counter WrittenBytes { get; } = counters.Create("written.bytes", "By");

    /// <summary>Packets given to links.</summary>
    public Counter Sent { get; } = counters.Create("sent", "{packet}");

    /// <summary>Questions for Ethernet addresses that were answered.</summary>
    public Counter Answered { get; } = counters.Create("answered", "{frame}");

    /// <summary>Questions for names that were answered.</summary>
    public Counter Resolved { get; } = counters.Create("resolved", "{question}");

    /// <summary>Frames to the resolver that are no questions.</summary>
    public Counter NoQuestion { get; } = counters.Create("noQuestion", "{frame}");

    /// <summary>Frames of the machine that cannot be.</summary>
    public Counter Malformed { get; } = counters.Create("malformed", "{frame}");

    /// <summary>Frames of the machine from addresses that are not its own.</summary>
    public Counter Spoofed { get; } = counters.Create("spoofed", "{frame}");

    /// <summary>Frames of the machine for all, or many: from here on they are the other service's.</summary>
    public Counter Flooded { get; } = counters.Create("flooded", "{frame}");

    /// <summary>Frames of the machine to Ethernet addresses of nobody in the cube, and those to many that are not
    /// IP.</summary>
    public Counter Foreign { get; } = counters.Create("foreign", "{frame}");

    /// <summary>Frames of the machine longer than the MTU.</summary>
    public Counter TooLong { get; } = counters.Create("tooLong", "{frame}");

    /// <summary>Frames of the machine for other networks.</summary>
    public Counter Beyond { get; } = counters.Create("beyond", "{frame}");

    /// <summary>Frames of machines behind the bridge that went into the cube.</summary>
    public Counter BridgedIn { get; } = counters.Create("bridged.in", "{frame}");

    /// <summary>Frames to machines behind the bridge that it was given.</summary>
    public Counter BridgedOut { get; } = counters.Create("bridged.out", "{frame}");

    /// <summary>Frames to machines of which the bridge knows nothing, or nothing any more.</summary>
    public Counter Unknown { get; } = counters.Create("unknown", "{frame}");

    /// <summary>Machines behind the bridge for which there was no place.</summary>
    public Counter Crowded { get; } = counters.Create("crowded", "{frame}");

    /// <summary>Frames for all that came in by the bridge, and had done so a short while ago.</summary>
    public Counter Echoed { get; } = counters.Create("echoed", "{frame}");

    /// <summary>Frames for all that the machine was not given, because they would go round by a second bridge.
    /// </summary>
    public Counter Withheld { get; } = counters.Create("withheld", "{frame}");

    /// <summary>Frames of the machine that were cut into pieces.</summary>
    public Counter Cut { get; } = counters.Create("cut", "{frame}");

    /// <summary>Frames that were put together out of pieces.</summary>
    public Counter Joined { get; } = counters.Create("joined", "{frame}");

    /// <summary>Pieces that came of frames of which another one is missing.</summary>
    public Counter Broken { get; } = counters.Create("broken", "{packet}");

    /// <summary>Frames to servers that cannot be reached.</summary>
    public Counter Unreachable { get; } = counters.Create("unreachable", "{frame}");

    /// <summary>Times the machine was told that a server cannot be reached.</summary>
    public Counter Told { get; } = counters.Create("told", "{frame}");

    /// <summary>Packets, and frames, for which there was no room.</summary>
    public Counter Full { get; } = counters.Create("full", "{packet}");

    /// <summary>Packets that were marked because others waited too long, here or on their way (ECN).</summary>
    public Counter Marked { get; } = counters.Create("marked", "{packet}");

    /// <summary>Packets that were dropped because they waited too long and cannot be marked.</summary>
    public Counter Shed { get; } = counters.Create("shed", "{packet}");

    /// <summary>Packets that came with a wrong checksum.</summary>
    public Counter Damaged { get; } = counters.Create("damaged", "{packet}");

    /// <summary>Packets that cannot be, or from an address that is not their sender's.</summary>
    public Counter Refused { get; } = counters.Create("refused", "{packet}");

    /// <summary>Packets that had come before.</summary>
    public Counter Repeated { get; } = counters.Create("repeated", "{packet}");

    /// <summary>Packets of an earlier run of their sender.</summary>
    public Counter Stale { get; } = counters.Create("stale", "{packet}");

    /// <summary>Packets that waited for an earlier one.</summary>
    public Counter Waited { get; } = counters.Create("waited", "{packet}");

    /// <summary>Packets that nobody waits for any more because all their paths have passed them.</summary>
    public Counter Lost { get; } = counters.Create("lost", "{packet}");

    /// <summary>Packets that nobody waits for any more because it took too long.</summary>
    public Counter GivenUp { get; } = counters.Create("givenUp", "{packet}");

    /// <summary>Packets that came after they had been given up, and were handed on out of order.</summary>
    public Counter Late { get; } = counters.Create("late", "{packet}");

    /// <summary>Frames that the machine did not take.</summary>
    public Counter NotTaken { get; } = counters.Create("notTaken", "{frame}");
}
