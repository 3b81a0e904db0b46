namespace CamCube.Runtime.Wire;

/// <summary>Whom links talk to while their server is stopped: what arrives is thrown away; packets that the links still
/// have come to their end as ever.</summary>
/// <param name="last">The port of the server that ran last.</param>
internal sealed class DeadEnd(ILinkEvents last) : ILinkEvents
{
    public void FrameArrived(Link link, ReadOnlySpan<byte> frame, long now) { }

    public void FrameDropped(Link link, DropReason reason) { }

    public void LinkFree(Link link, long now) { }

    public void LinkChanged(Link link, bool up, long now) { }

    public int Encode(Packet packet, Span<byte> frame) => last.Encode(packet, frame);

    public int TryAppend(Packet packet, Span<byte> frame, int length) => last.TryAppend(packet, frame, length);

    public int EncodeCopy(Packet packet, Span<byte> frame) => last.EncodeCopy(packet, frame);

    public Coordinate AddresseeOf(Link link, Packet packet) => last.AddresseeOf(link, packet);

    public void Lose(Packet packet) => last.Lose(packet);

    public Packet Copy(Packet packet) => last.Copy(packet);

    public void Lend(Packet packet) => last.Lend(packet);

    public void TakeBack(Packet packet) => last.TakeBack(packet);

    public bool Corrupt(Packet packet, ulong random) => last.Corrupt(packet, random);
}
