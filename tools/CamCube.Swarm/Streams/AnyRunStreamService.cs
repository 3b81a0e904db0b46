using System.Buffers.Binary;

namespace CamCube.Swarm.Streams;

/// <summary>
/// For tests of the checkers only: an endpoint that does not look at runs. What a server sends it takes for that of the
/// run that it heard of first, and what was sent to an earlier run of its own for its own. A run with it must fail.
/// </summary>
internal sealed class AnyRunStreamService(IServer server, StreamTraffic traffic) : StreamTrafficService(server, traffic)
{
    private const int PeerRunAt = 8;
    private readonly Dictionary<Coordinate, ulong> _runs = [];

    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (hop.IsDestination)
        {
            Span<byte> header = packet.HeaderSpan;
            ulong run = BinaryPrimitives.ReadUInt64LittleEndian(header);
            if (!_runs.TryAdd(packet.Source, run))
            {
                run = _runs[packet.Source];
            }

            BinaryPrimitives.WriteUInt64LittleEndian(header, run);
            if (BinaryPrimitives.ReadUInt32LittleEndian(header[PeerRunAt..]) != 0)
            {
                BinaryPrimitives.WriteUInt32LittleEndian(header[PeerRunAt..], (uint)Endpoint.Run);
            }
        }

        return base.OnPacket(hop, packet);
    }
}
