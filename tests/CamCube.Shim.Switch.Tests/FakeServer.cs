using System.Runtime.CompilerServices;
using CamCube.Shim.Switch.Connections;
using CamCube.Shim.Switch.Settings;

namespace CamCube.Shim.Switch.Tests;

/// <summary>What links see of a server: it says where packets end, and writes down what comes.</summary>
internal sealed class FakeServer : ILinkEvents
{
    // The links look at nothing of a packet but its length, which is that of an empty one.
    private static readonly Packet AnyPacket = (Packet)RuntimeHelpers.GetUninitializedObject(typeof(Packet));
    private readonly TorusShape _shape;
    private readonly Coordinate _self;
    private Coordinate _addressee;
    private byte[] _frame = [];

    public FakeServer(TorusShape shape, int rank, SwitchOptions options)
    {
        (_shape, _self) = (shape, shape.At(rank));
        Links = new SwitchLinks(
            new LinkProviderRequest(_self, shape, new Dictionary<string, string>())
            {
                Time = TimeProvider.System,
                News = news => News.Add(news.Text),
            },
            options
        );
        Links.Attach(this);
    }

    public SwitchLinks Links { get; }

    public List<(Link Link, byte[] Frame)> Arrived { get; } = [];

    public List<DropReason> Dropped { get; } = [];

    public List<Link> Freed { get; } = [];

    public List<Link> Down { get; } = [];

    public List<string> News { get; } = [];

    public int Lost { get; private set; }

    /// <summary>Sends a frame by a link to a server.</summary>
    public long Send(Link link, int rank, byte[] frame, long now)
    {
        (_addressee, _frame) = (_shape.At(rank), frame);
        return Links.Transmit(link, AnyPacket, now);
    }

    public void Step(long now)
    {
        Links.Receive(this, 16, now);
        Links.Flush(now);
    }

    public Coordinate AddresseeOf(Link link, Packet packet) => _addressee;

    public int Encode(Packet packet, Span<byte> frame)
    {
        _frame.CopyTo(frame);
        return _frame.Length;
    }

    public void FrameArrived(Link link, ReadOnlySpan<byte> frame, long now) => Arrived.Add((link, frame.ToArray()));

    public void FrameDropped(Link link, DropReason reason) => Dropped.Add(reason);

    public void LinkFree(Link link, long now) => Freed.Add(link);

    public void LinkChanged(Link link, bool up, long now) => Down.Add(link);

    public void Lose(Packet packet) => Lost++;

    public int TryAppend(Packet packet, Span<byte> frame, int length) => throw new NotSupportedException();

    public int EncodeCopy(Packet packet, Span<byte> frame) => throw new NotSupportedException();

    public Packet Copy(Packet packet) => throw new NotSupportedException();

    public void Lend(Packet packet) => throw new NotSupportedException();

    public void TakeBack(Packet packet) => throw new NotSupportedException();

    public bool Corrupt(Packet packet, ulong random) => throw new NotSupportedException();
}
