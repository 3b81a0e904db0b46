using System.Diagnostics;

namespace CamCube.Benchmarks.Cables;

/// <summary>The service of the cable benchmark: fills one link with packets, counts what arrives, answers
/// pings.</summary>
[CamCubeService(0x7100, "traffic", Header = typeof(Header))]
internal sealed class CableTraffic : CamCubeService, IPacketSource
{
    private readonly IServer _server;
    private readonly IOutboundTurn _turn;
    private readonly ServerTimer _again;
    private readonly ReplyTable<int> _pings;
    private Coordinate _to;
    private Link _link;
    private int _body = -1;

    public CableTraffic(IServer server)
    {
        _server = server;
        _turn = server.AddSource(this);
        _pings = new ReplyTable<int>(server);
        _again = server.CreateTimer(SendAgain);
    }

    public long Received { get; private set; }

    public long Forwarded { get; private set; }

    /// <summary>Sends as fast as the link takes it, until it is stopped.</summary>
    public void Start(Coordinate to, Link link)
    {
        (_to, _link, _body) = (to, link, _server.Packets.MaxPayload - 16);
        SendAgain();
    }

    public void Stop()
    {
        _body = -1;
        _turn.Ready = LinkSet.None;
    }

    /// <summary>Sequential round trips with full frames to some servers in turn, in nanoseconds, sorted for
    /// each.</summary>
    public async ValueTask<long[][]> PingAsync(Coordinate[] to, int count, int body)
    {
        List<long>[] times = [.. to.Select(_ => new List<long>(count))];
        for (int i = 0; i < count * to.Length; i++)
        {
            int of = i % to.Length;
            using Replies<int> question = _pings.Ask();
            if (!_server.Packets.TryRent(body, out Packet? packet))
            {
                continue;
            }

            packet.Header<Header>() = new Header(question.Id, 1);
            long begin = Stopwatch.GetTimestamp();
            _server.Send(packet, to[of]);
            if (await question.WaitAsync(1, TimeSpan.FromSeconds(1)) != WaitResult.TimedOut)
            {
                times[of].Add((Stopwatch.GetTimestamp() - begin) * (1_000_000_000 / Stopwatch.Frequency));
            }
        }

        return [.. times.Select(one => one.Order().ToArray())];
    }

    public Packet? OnPoll(Link link)
    {
        if (_body < 0 || link != _link || !_server.Packets.TryRent(_body, out Packet? packet))
        {
            return null;
        }

        packet.Header<Header>() = default;
        packet.Destination = _to;
        return packet;
    }

    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (!hop.IsDestination)
        {
            Forwarded++;
            return Verdict.Forward;
        }

        ref Header header = ref packet.Header<Header>();
        switch (header.Kind)
        {
            case 1:
                header = header with { Kind = 2 };
                packet.TurnRound(_server.Coordinate, _server.Packets.DefaultHopLimit);

                // As the diagnostics service answers: back by the cable it came by.
                return _server.Topology.NextHops(packet.Destination).Contains(hop.ArrivedOn)
                    ? Verdict.Via(hop.ArrivedOn)
                    : Verdict.Forward;
            case 2:
                _pings.TryAdd(header.Id, 0);
                return Verdict.Consume;
            default:
                Received++;
                return Verdict.Consume;
        }
    }

    private void SendAgain()
    {
        // A poll that finds no packet to rent clears the link.
        if (_body >= 0)
        {
            _turn.Ready = _link;
            _again.ArmAt(_server.NowNanos + 1_000_000);
        }
    }

    public readonly record struct Header(ulong Id, long Kind);
}
