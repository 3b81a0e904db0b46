using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel.Receiving;

/// <summary>The lanes from one server. Loop only.</summary>
internal sealed class LaneSet(ushort run, long mostWaitNanos)
{
    // Longer than a packet is on its way.
    private const long QuietNanos = 1_000_000_000;
    private ushort? _past;

    /// <summary>Its run; another one begins anew.</summary>
    public ushort Run { get; private set; } = run;

    /// <summary>When a packet of this run came last.</summary>
    public long LastNanos { get; set; }

    /// <summary>How far its paths differ.</summary>
    public PathSkew Skew { get; } = new(mostWaitNanos);

    /// <summary>The lanes; null: nothing came on it lately.</summary>
    public LaneOrder?[] Lanes { get; } = new LaneOrder?[TunnelHeader.Lanes];

    /// <summary>Whether a run is the one before, which would take its sender back to numbers that have come already. It
    /// cannot be known which of two is the later one: so it is that which goes on when the other is silent.</summary>
    public bool IsPast(ushort run, long nowNanos) => run == _past && nowNanos - LastNanos < QuietNanos;

    /// <summary>Another run begins. Nothing waits on any lane.</summary>
    public void Begin(ushort run)
    {
        (_past, Run) = (Run, run);
        Array.Clear(Lanes);
    }
}
