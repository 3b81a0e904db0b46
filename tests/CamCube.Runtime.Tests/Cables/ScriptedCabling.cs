using CamCube.Cables;

namespace CamCube.Runtime.Tests.Cables;

/// <summary>A cabling protocol that says what the test wants.</summary>
internal sealed class ScriptedCabling : ICabling
{
    public LinkSet Admitted { get; set; } = LinkSet.AllCables;

    public int MaxFrameLength { get; init; } = 1_514;

    public long Deadline { get; set; } = long.MaxValue;

    public CablingReport Report => throw new NotSupportedException();

    public Coordinate? Place { get; set; }

    public List<(int Port, byte[] Frame)> Heard { get; } = [];

    public Action<ICablingSender> OnRun { get; set; } = static _ => { };

    /// <summary>What is admitted after the next control frame.</summary>
    public LinkSet? AdmitsThen { get; set; }

    public bool TryPlace(out Coordinate coordinate)
    {
        coordinate = Place ?? default;
        return Place is not null;
    }

    public void FrameArrived(int port, ReadOnlySpan<byte> frame, long now)
    {
        Heard.Add((port, frame.ToArray()));
        Admitted = AdmitsThen ?? Admitted;
    }

    public void PortChanged(int port, bool isUp, int maxFrameLength, long now) { }

    public void Run(long now, ICablingSender sender)
    {
        Deadline = long.MaxValue;
        OnRun(sender);
    }
}
