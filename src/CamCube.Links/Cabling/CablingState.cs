using CamCube.Cables;

namespace CamCube.Cabling;

/// <summary>What the parts of the cabling protocol share. Loop only.</summary>
internal sealed class CablingState
{
    public CablingState(CablingSetup setup, IReadOnlyList<CablePort> ports)
    {
        Setup = setup;
        Ports = new PortState[ports.Count];
        for (int i = 0; i < Ports.Length; i++)
        {
            Ports[i] = new PortState(ports[i]);
        }

        Book = new ReportBook(setup.Server, setup.Shape.Count + setup.Options.SpareReports);
        BootMillis = setup.UnixMillis();
        Map = setup.Map;
    }

    public CablingSetup Setup { get; }

    public CablingOptions Options => Setup.Options;

    public PortState[] Ports { get; }

    public ReportBook Book { get; }

    public long BootMillis { get; }

    /// <summary>When the first <see cref="ICabling.Run"/> was.</summary>
    public long StartedAt { get; set; }

    /// <summary>The map, stored.</summary>
    public CablingMap? Map { get; set; }

    /// <summary>A map of this cube without a place for this server.</summary>
    public CablingMap? MapWithoutUs { get; set; }

    /// <summary>The place, once it is used.</summary>
    public Coordinate? Place { get; private set; }

    /// <summary>The place that this server names: one that is fixed is named before it is used.</summary>
    public Coordinate? NamedPlace => Place ?? Setup.Coordinate;

    /// <summary>Largest frame that this server sends; 0 without a place.</summary>
    public int MaxFrame { get; private set; }

    /// <summary>Why nothing is admitted, or null.</summary>
    public string? Refusal { get; set; }

    /// <summary>Why the map is not stored, or null.</summary>
    public string? StoreFault { get; set; }

    /// <summary>Whether another process is known to report with this identity.</summary>
    public bool HasTwin { get; set; }

    /// <summary>When what counts of the book changed last.</summary>
    public long BookChangedAt { get; set; }

    /// <summary>Whether this server's own report may have changed.</summary>
    public bool IsReportStale { get; set; } = true;

    /// <summary>Whether people may have to be told something else than at the last look.</summary>
    public bool IsLookStale { get; set; } = true;

    public static long Nanos(TimeSpan time) => time.Ticks * 100;

    /// <summary>From now on this server is there.</summary>
    public void TakePlace(Coordinate place, int maxFrame)
    {
        (Place, MaxFrame) = (place, maxFrame);
        foreach (PortState port in Ports)
        {
            bool isOpen =
                port.Link is { } link
                && SingleCables.IsOn(Setup.Shape, link)
                && !Array.Exists(Ports, p => p.Link == link.Opposite());
            port.Link = isOpen ? SingleCables.At(place, port.Link!.Value) : port.Link;
        }
    }

    /// <summary>A spacing for work on all reports: longer in large cubes, so that the work stays a small part of the
    /// time.</summary>
    public long Spaced(long nanos) => nanos + (nanos * Book.Count / 256);

    /// <summary>The next hello on a port goes out as soon as allowed.</summary>
    public void HelloSoon(PortState port, long now) =>
        port.NextHello = Math.Min(port.NextHello, Math.Max(now, port.LastHello + Nanos(Options.HelloSpacing)));

    /// <summary>Something that all hellos say has changed.</summary>
    public void HelloSoon(long now)
    {
        (IsReportStale, IsLookStale) = (true, true);
        foreach (PortState port in Ports)
        {
            port.ChangedAt = now;
            HelloSoon(port, now);
        }
    }
}
