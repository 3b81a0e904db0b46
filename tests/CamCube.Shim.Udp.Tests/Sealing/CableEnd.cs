using System.Buffers.Binary;
using CamCube.Shim.Udp.Sealing;

namespace CamCube.Shim.Udp.Tests.Sealing;

/// <summary>One end of a <see cref="TestCable"/>: a server that may be restarted, what it received and what it was
/// told.</summary>
internal sealed class CableEnd(TestCable cable, Link link, ClusterKey key, Random nonces)
{
    private readonly byte[] _buffer = new byte[2_048];
    private ulong _number = (ulong)link << 56;

    public Link Link => link;

    public SecureChannel Channel { get; private set; } = null!;

    /// <summary>Numbers of the frames that came up, in order.</summary>
    public List<ulong> Received { get; } = [];

    /// <summary>Numbers of the frames that were sealed.</summary>
    public List<ulong> Sent { get; } = [];

    /// <summary>How often each answer was given.</summary>
    public Dictionary<OpenResult, int> Results { get; } = [];

    /// <summary>Everything this end ever put on the cable.</summary>
    public List<byte[]> Datagrams { get; } = [];

    public bool IsRunning { get; private set; }

    public int Count(OpenResult result) => Results.GetValueOrDefault(result);

    /// <summary>A new process: nothing is left of the one before.</summary>
    public void Start(NonceSource? random = null)
    {
        Channel?.Dispose();
        Channel = new SecureChannel(key, link, random ?? nonces.NextBytes, cable.Options, cable.Now);
        IsRunning = true;
        Drain();
    }

    public void Stop() => IsRunning = false;

    /// <summary>Sends the next numbered frame. False: there are no keys.</summary>
    public bool Send(int padding = 0)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(_buffer.AsSpan(FrameFormat.HeaderLength), ++_number);
        int length = Channel.Seal(_buffer, 8 + padding);
        if (length > 0)
        {
            Sent.Add(_number);
            Put(length);
        }

        Drain();
        return length > 0;
    }

    /// <summary>A datagram arrives, from whoever.</summary>
    public OpenResult Arrive(ReadOnlySpan<byte> datagram)
    {
        byte[] copy = datagram.ToArray();
        OpenResult result = Channel.Open(copy, cable.Now);
        Results[result] = Count(result) + 1;
        if (result == OpenResult.Frame)
        {
            Received.Add(BinaryPrimitives.ReadUInt64LittleEndian(copy.AsSpan(FrameFormat.HeaderLength)));
        }

        Drain();
        return result;
    }

    /// <summary>Sends the channel's own messages that are due.</summary>
    public void Drain()
    {
        for (int length; (length = Channel.TryTakeMessage(_buffer, cable.Now)) > 0; )
        {
            Put(length);
        }
    }

    private void Put(int length)
    {
        byte[] datagram = _buffer[..length];
        Datagrams.Add(datagram);
        cable.Carry(this, datagram);
    }
}
