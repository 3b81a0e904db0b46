using CamCube.Services.Tunnel.Frames;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>Numbered datagrams between all servers, and what is right about those that come.</summary>
internal sealed class Traffic
{
    private readonly TunnelCube _cube;
    private readonly Dictionary<(Coordinate From, Coordinate To, ushort Flow), int> _sent = [];
    private readonly Dictionary<(Coordinate From, Coordinate To, ushort Flow), List<int>> _received = [];

    public Traffic(TunnelCube cube)
    {
        _cube = cube;
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            Listen(cube.Shape.At(rank));
        }
    }

    /// <summary>Datagrams sent and received.</summary>
    public (int Sent, int Received) Counts => (_sent.Values.Sum(), _received.Values.Sum(list => list.Count));

    /// <summary>Datagrams that came behind a later one of their flow.</summary>
    public int OutOfOrder =>
        _received.Values.Sum(list => Enumerable.Range(1, list.Count - 1).Count(i => list[i] < list[i - 1]));

    /// <summary>From now on what a server's card is given is looked at.</summary>
    public void Listen(Coordinate at) => _cube.CardOf(at).Received = frame => Note(at, frame);

    /// <summary>Sends the next datagram of a flow.</summary>
    public void Send(Coordinate from, Coordinate to, ushort flow, int length = 100)
    {
        int number = _sent.GetValueOrDefault((from, to, flow));
        _sent[(from, to, flow)] = number + 1;
        _cube.CardOf(from).Send(MachineFrame.Datagram4(_cube.Addresses, from, to, flow, number, length));
    }

    /// <summary>All that were sent between these came.</summary>
    public void AssertComplete(Func<Coordinate, Coordinate, bool>? between = null)
    {
        foreach (((Coordinate from, Coordinate to, ushort flow), int sent) in _sent)
        {
            if (between?.Invoke(from, to) ?? true)
            {
                Assert.Equal(Enumerable.Range(0, sent), _received.GetValueOrDefault((from, to, flow), []));
            }
        }
    }

    private void Note(Coordinate at, ReadOnlySpan<byte> frame)
    {
        // Nothing comes that was not sent, to anybody else than it was sent to, or twice.
        Assert.True(
            InternetView.TryRead(EtherTypes.Internet4, frame[MachineFrame.Head..], out InternetView view),
            "a frame that is none"
        );
        if (view.Protocol == EtherTypes.Icmp4)
        {
            // That a server cannot be reached.
            return;
        }

        Assert.True(
            _cube.Addresses.TryFind4(
                System.Buffers.Binary.BinaryPrimitives.ReadUInt32BigEndian(view.Source),
                out Coordinate from
            )
        );
        (ushort flow, int number) = MachineFrame.Read4(frame);
        byte[] sent = MachineFrame.Datagram4(
            _cube.Addresses,
            from,
            at,
            flow,
            number,
            frame.Length - MachineFrame.DatagramHead4
        );
        Assert.True(sent.AsSpan().SequenceEqual(frame), $"{at}: {number} of flow {flow} of {from} was changed");
        Assert.True(number < _sent.GetValueOrDefault((from, at, flow)), $"{at}: a datagram that nobody sent");
        if (!_received.TryGetValue((from, at, flow), out List<int>? list))
        {
            _received[(from, at, flow)] = list = [];
        }

        Assert.DoesNotContain(number, list);
        list.Add(number);
    }
}
