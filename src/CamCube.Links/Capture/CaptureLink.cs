using System.Buffers;
using System.Buffers.Binary;

namespace CamCube.Capture;

/// <summary>One link of a <see cref="CaptureFile"/>: what was recorded and is not written yet. Recorded on the thread
/// of the server.</summary>
public sealed class CaptureLink
{
    private const int EthernetHeader = 14;
    private readonly CaptureFile _file;
    private readonly int _interface;
    private readonly byte[] _out;
    private readonly byte[] _in;
    private readonly ArrayBufferWriter<byte> _bytes = new();
    private readonly List<CaptureFile.Pending> _frames = [];

    internal CaptureLink(CaptureFile file, int number, Coordinate server, Link link, TorusShape shape)
    {
        (_file, _interface, Server, Link) = (file, number, server, link);
        byte[] own = AddressOf(shape.RankOf(server), link),
            other = AddressOf(shape.RankOf(shape.Step(server, link)), link.Opposite());
        _out = [.. other, .. own, 0x88, 0xB5];
        _in = [.. own, .. other, 0x88, 0xB5];
    }

    /// <summary>The server that sends on it.</summary>
    public Coordinate Server { get; }

    /// <summary>The link, as that server names it.</summary>
    public Link Link { get; }

    /// <summary>"0,0,0 +x": the name of the interface in the file.</summary>
    public string Name => $"{Server} {Link.Name()}";

    internal void Sent(ILinkEvents encoder, Packet packet, int mostBytes, long now)
    {
        if (_file.IsFull || now < _file.FromNanos)
        {
            return;
        }

        Span<byte> room = _bytes.GetSpan(EthernetHeader + mostBytes);
        _out.CopyTo(room);
        int length = EthernetHeader + encoder.EncodeCopy(packet, room[EthernetHeader..]);
        Add(now, length, packet.WireLength, isInbound: false);
    }

    internal void Received(ReadOnlySpan<byte> frame, long now)
    {
        if (_file.IsFull || now < _file.FromNanos)
        {
            return;
        }

        Span<byte> room = _bytes.GetSpan(EthernetHeader + frame.Length);
        _in.CopyTo(room);
        frame.CopyTo(room[EthernetHeader..]);
        Add(now, EthernetHeader + frame.Length, EthernetHeader + frame.Length, isInbound: true);
    }

    internal void MoveTo(List<CaptureFile.Pending> all) => all.AddRange(_frames);

    internal ReadOnlySpan<byte> BytesOf(in CaptureFile.Pending frame) =>
        _bytes.WrittenSpan.Slice(frame.Offset, frame.Length);

    internal void Forget()
    {
        _frames.Clear();
        _bytes.ResetWrittenCount();
    }

    private void Add(long now, int length, int originalLength, bool isInbound)
    {
        _frames.Add(new(now, _interface, _frames.Count, _bytes.WrittenCount, length, originalLength, isInbound));
        _bytes.Advance(length);
    }

    // Simulated cables have no addresses, and a driver of real ones keeps them to itself: made up, locally
    // administered, and readable.
    private static byte[] AddressOf(int rank, Link link)
    {
        byte[] address = [0x02, 0xCC, 0x00, (byte)link, 0, 0];
        BinaryPrimitives.WriteUInt16BigEndian(address.AsSpan(4), (ushort)rank);
        return address;
    }
}
