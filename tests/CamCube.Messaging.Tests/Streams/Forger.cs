using CamCube.Messaging.Streams.Wire;
using CamCube.Testing;

namespace CamCube.Messaging.Tests.Streams;

/// <summary>Makes packets of streams that a real endpoint does not send, and sends them from its server.</summary>
internal sealed class Forger(TestCube cube, Coordinate at, Coordinate to)
{
    // Far above those that the endpoint itself has used, so that none of them is taken for a copy.
    private uint _packet = 10_000;

    public delegate void Writes(ref FrameWriter writer);

    public Streamer From => cube[at].Service<Streamer>();

    public Streamer To => cube[to].Service<Streamer>();

    /// <summary>A body of frames.</summary>
    public static byte[] Frames(Writes writes)
    {
        byte[] body = new byte[1_300];
        FrameWriter writer = new(body);
        writes(ref writer);
        return body[..writer.Length];
    }

    /// <summary>An acknowledgement.</summary>
    public static byte[] Ack(int path, uint largest, params (int Gap, int Length)[] ranges) =>
        Frames(
            (ref FrameWriter w) =>
            {
                w.Ack(path, largest, 0, 0, ranges.Length);
                foreach ((int gap, int length) in ranges)
                {
                    w.Range(gap, length);
                }
            }
        );

    /// <summary>Sends frames in a packet as the endpoint's own connection would, whose number is 1.</summary>
    public void Send(byte[] body, StreamPacketKind kind = StreamPacketKind.Frames) =>
        Send(
            new StreamHeader
            {
                Run = From.Endpoint.Run,
                PeerRun = (uint)To.Endpoint.Run,
                Connection = 1,
                Packet = _packet++,
                Kind = kind,
                Path = new PathWord(PathWord.Routed, fromOpener: true),
            },
            body
        );

    /// <summary>Sends a packet.</summary>
    public void Send(in StreamHeader header, byte[] body)
    {
        byte[] bytes = new byte[System.Runtime.CompilerServices.Unsafe.SizeOf<Letter>()];
        System.Runtime.InteropServices.MemoryMarshal.Write(bytes, header);
        From.SendRaw(bytes, body, to);
    }
}
