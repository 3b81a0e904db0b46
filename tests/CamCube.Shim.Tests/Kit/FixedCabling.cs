using CamCube.Cables;
using CamCube.Cabling;

namespace CamCube.Shim.Tests.Kit;

/// <summary>Believes every cable, and says hello once per port so that addresses are learned.</summary>
internal sealed class FixedCabling(LinkProviderRequest request, CablePorts ports) : ICabling
{
    private readonly bool[] _said = new bool[ports.Ports.Count];

    public LinkSet Admitted { get; private set; } =
        ports.Ports.Where(p => p.Link is not null).Aggregate(LinkSet.None, (set, p) => set | p.Link!.Value);

    public int MaxFrameLength { get; } = Enumerable.Range(0, ports.Ports.Count).Min(ports.MaxFrameLength);

    public long Deadline { get; private set; }

    public CablingReport Report { get; } =
        new()
        {
            ClusterId = request.ClusterId,
            Shape = request.Shape,
            ServerId = "0000000000000000",
            Coordinate = request.Coordinate,
        };

    public bool TryPlace(out Coordinate coordinate)
    {
        coordinate = request.Coordinate!.Value;
        return true;
    }

    public void FrameArrived(int port, ReadOnlySpan<byte> frame, long now) { }

    public void PortChanged(int port, bool isUp, int maxFrameLength, long now)
    {
        if (ports.Ports[port].Link is { } link)
        {
            Admitted = isUp ? Admitted | link : Admitted - link;
            (_said[port], Deadline) = (false, now);
        }
    }

    public void Run(long now, ICablingSender sender)
    {
        Deadline = long.MaxValue;
        for (int i = 0; i < _said.Length; i++)
        {
            _said[i] = _said[i] || sender.TrySend(i, [0]);
            Deadline = _said[i] ? Deadline : now + 1_000_000;
        }
    }
}
