using CamCube.Services.Messenger;

namespace CamCube.Services.Workloads.Messages;

/// <summary>
/// An endpoint that sends numbered messages to another one, and some to endpoints that stay where they are. A hostile
/// one sends bursts, bodies that are none, to names that nobody has, and more than fits. Loop only.
/// </summary>
internal sealed class RoamingSender(IServer server, IMessenger messenger, IEndpoint endpoint, int id, EndpointId to)
{
    private const int Size = 100,
        Burst = 32,
        TurnsPerStaying = 4;
    private readonly List<long> _sentNanos = [];
    private readonly byte[] _body = new byte[Size];
    private long _refused;

    /// <summary>Whether it means no good.</summary>
    public bool IsHostile { get; init; }

    /// <summary>Sends until then, by this server's clock.</summary>
    public async ValueTask RunAsync(TimeSpan every, long untilNanos)
    {
        if (!await endpoint.OwnedAsync())
        {
            return;
        }

        for (int turn = 0; server.NowNanos < untilNanos && await server.DelayAsync(every); turn++)
        {
            if (IsHostile)
            {
                Annoy(turn);
            }
            else if (turn % TurnsPerStaying == TurnsPerStaying - 1)
            {
                SendToStaying(turn / TurnsPerStaying);
            }
            else
            {
                SendNumbered();
            }
        }

        endpoint.Dispose();
    }

    /// <summary>What it has sent.</summary>
    /// <param name="from">Time from which messages are asked for.</param>
    /// <param name="until">Time before which they were sent.</param>
    public SenderReport Report(long from, long until) =>
        new(id, IsHostile, _sentNanos.Count, _refused, NumberAt(from), NumberAt(until));

    // The first that was sent at that time or later: times grow.
    private int NumberAt(long nanos)
    {
        int first = 0,
            end = _sentNanos.Count;
        while (first < end)
        {
            int middle = (first + end) / 2;
            (first, end) = _sentNanos[middle] < nanos ? (middle + 1, end) : (first, middle);
        }

        return first;
    }

    private void SendNumbered()
    {
        if (_sentNanos.Count >= RoamingBody.MostNumbers)
        {
            return;
        }

        new RoamingBody(to.Value, id, _sentNanos.Count).Write(_body);
        if (endpoint.TrySend(to, 0, _body) == SendStatus.Sent)
        {
            _sentNanos.Add(server.NowNanos);
        }
        else
        {
            _refused++;
        }
    }

    private void SendToStaying(int turn)
    {
        Coordinate at = server.Shape.At((server.Shape.RankOf(server.Coordinate) + turn) % server.Shape.Count);
        EndpointId staying = EndpointId.OfName(RoamingService.StayingAt(at));
        new RoamingBody(staying.Value, id, turn).Write(_body);
        endpoint.TrySend(staying, 0, _body);
    }

    private void Annoy(int turn)
    {
        for (int i = 0; i < Burst; i++)
        {
            SendNumbered();
        }

        endpoint.TrySend(to, 0, _body.AsSpan(0, turn % RoamingBody.Length));
        endpoint.TrySend(EndpointId.OfName($"nobody {id} {turn}"), 0, _body);
        endpoint.TrySend(to, 0, new byte[messenger.ShortRoom(1) + 1]);
    }
}
