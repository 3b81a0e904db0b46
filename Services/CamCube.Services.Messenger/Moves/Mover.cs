using System.Runtime.CompilerServices;
using CamCube.Services.Messenger.Counting;
using CamCube.Services.Messenger.Endpoints;
using CamCube.Services.Messenger.Names;
using CamCube.Services.Messenger.Resolving;
using CamCube.Services.Messenger.Wire;

namespace CamCube.Services.Messenger.Moves;

/// <summary>
/// Moves endpoints to other servers and takes those that come. Two questions: the first asks for the token of the
/// endpoint that waits there, which belongs to that opening alone; the second gives it the name, with the next term. So
/// a late copy of either gives nobody a name. Loop only.
/// </summary>
internal sealed class Mover
{
    private readonly Dictionary<EndpointId, Forwarding> _gone = [];
    private readonly ReplyTable<MoveReply> _asked;
    private readonly IServer _server;
    private readonly MessengerOptions _options;
    private readonly MessengerCounters _counters;
    private readonly EndpointTable _endpoints;
    private readonly Registrar _registrar;
    private readonly Courier _courier;
    private readonly ulong _run;

    public Mover(
        IServer server,
        MessengerOptions options,
        MessengerCounters counters,
        EndpointTable endpoints,
        Registrar registrar,
        Courier courier,
        ulong run
    )
    {
        (_server, _options, _counters, _endpoints) = (server, options, counters, endpoints);
        (_registrar, _courier, _run) = (registrar, courier, run);
        _asked = new ReplyTable<MoveReply>(server);
    }

    /// <summary>Endpoints whose messages are passed on.</summary>
    public int Gone => _gone.Count;

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<MoveStatus> MoveAsync(LocalEndpoint endpoint, Coordinate to, TimeSpan deadline)
    {
        if (!_server.Shape.Contains(to) || to == _server.Coordinate)
        {
            return MoveStatus.Invalid;
        }

        if (!endpoint.IsOwned || endpoint.IsMoving)
        {
            return MoveStatus.NotOwned;
        }

        if (!_asked.TryAsk(out Replies<MoveReply>? question))
        {
            return MoveStatus.NotTaken;
        }

        using Replies<MoveReply> ends = question;
        endpoint.IsMoving = true;
        long end = _server.NowNanos + (long)Math.Clamp(deadline.TotalNanoseconds, 0, long.MaxValue / 4);
        MoveReply waits = await AskAsync(question, end, endpoint, MessengerKind.AskMove, to, 0, 0);
        if (waits.Token == 0 || !waits.Place.IsKnown || waits.Place.Server != to || !endpoint.IsOwned)
        {
            endpoint.IsMoving = false;
            return endpoint.IsOwned ? MoveStatus.NotTaken : MoveStatus.NotOwned;
        }

        uint term = Math.Max(waits.Place.Term, endpoint.Term) + 1;
        question.Clear();
        MoveReply moved = await AskAsync(question, end, endpoint, MessengerKind.Move, to, waits.Token, term);
        endpoint.IsMoving = false;
        if (!endpoint.IsOwned)
        {
            return MoveStatus.NotOwned;
        }

        if (moved.Token != waits.Token)
        {
            return MoveStatus.Unknown;
        }

        Leave(endpoint, moved.Place with { Term = term });
        return MoveStatus.Moved;
    }

    /// <summary>An owner asks whether its name is waited for here; the packet becomes the answer.</summary>
    public Verdict OnAskMove(Packet packet)
    {
        ref MessengerHeader header = ref MessengerHeader.Of(packet);
        ulong token = 0;
        if (
            _endpoints.TryGet(new EndpointId(header.Destination), out LocalEndpoint? endpoint)
            && endpoint.State == EndpointState.Standby
        )
        {
            token = endpoint.MoveToken = endpoint.MoveToken == 0 ? NewToken() : endpoint.MoveToken;
        }

        return Answer(packet, MessengerKind.MoveToken, token);
    }

    /// <summary>An owner gives its name to an endpoint here; the packet becomes the answer.</summary>
    public Verdict OnMove(Packet packet)
    {
        ref MessengerHeader header = ref MessengerHeader.Of(packet);
        uint term = MessengerHeader.HeadOf(packet).Term;
        if (
            header.Source == 0
            || term == 0
            || !_endpoints.TryGet(new EndpointId(header.Destination), out LocalEndpoint? endpoint)
            || endpoint.MoveToken != header.Source
        )
        {
            _counters.Stale.Add();
            return Verdict.Consume;
        }

        if (endpoint.State == EndpointState.Standby)
        {
            _registrar.TakeOver(endpoint, term);
        }

        return endpoint.IsOwned && endpoint.Term == term
            ? Answer(packet, MessengerKind.Moved, header.Source)
            : Verdict.Consume;
    }

    /// <summary>The other server has answered.</summary>
    public Verdict OnReply(Packet packet)
    {
        ref MessengerHeader header = ref MessengerHeader.Of(packet);
        var reply = new MoveReply(header.Source, PlaceRecord.Read(packet.Body, _server.Shape));
        return reply.Place.Server == packet.Source && _asked.TryAdd(header.Question, reply)
            ? Verdict.Consume
            : Verdict.Drop(DropReason.Stale);
    }

    /// <summary>Where an endpoint has gone that had this term here; while its messages are passed on.</summary>
    public bool TryForward(EndpointId id, uint term, out EndpointPlace to)
    {
        bool isGone =
            _gone.TryGetValue(id, out Forwarding gone) && gone.Term == term && _server.NowNanos < gone.UntilNanos;
        to = gone.To;
        return isGone;
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<MoveReply> AskAsync(
        Replies<MoveReply> question,
        long end,
        LocalEndpoint endpoint,
        MessengerKind kind,
        Coordinate to,
        ulong token,
        uint term
    )
    {
        do
        {
            Ask(question.Id, endpoint, kind, to, token, term);
            WaitResult result = await question.WaitAsync(1, _options.AskTime);
            if (result == WaitResult.Stopped)
            {
                return default;
            }

            if (result == WaitResult.Enough)
            {
                MoveReply reply = question.Take(0);

                // A late answer to the first question is none to the second.
                if (kind == MessengerKind.AskMove || (reply.Token == token && reply.Place.Term == term))
                {
                    return reply;
                }

                question.Clear();
            }
        } while (_server.NowNanos < end && endpoint.IsOwned);

        return default;
    }

    private void Ask(ulong question, LocalEndpoint endpoint, MessengerKind kind, Coordinate to, ulong token, uint term)
    {
        if (!_server.Packets.TryRent(PlaceRecord.Size, out Packet? packet))
        {
            return;
        }

        packet.WritableBody().Clear();
        ref MessengerHeader header = ref MessengerHeader.Of(packet);
        ref MessengerHead head = ref MessengerHeader.HeadOf(packet);
        (header.Source, header.Destination, header.Question) = (token, endpoint.Id.Value, question);
        (head.Kind, head.Run, head.Term) = (kind, _run, term);
        _server.Send(packet, to);
    }

    private Verdict Answer(Packet packet, MessengerKind kind, ulong token)
    {
        if (packet.BodyLength != PlaceRecord.Size || !_server.Shape.Contains(packet.Source))
        {
            _counters.Malformed.Add();
            return Verdict.Drop(DropReason.Malformed);
        }

        ref MessengerHead head = ref MessengerHeader.HeadOf(packet);
        uint term = kind == MessengerKind.Moved ? head.Term : Math.Max(1, _registrar.LastTerm);
        head.Kind = kind;
        MessengerHeader.Of(packet).Source = token;
        PlaceRecord.Write(packet.WritableBody(), new EndpointPlace(_server.Coordinate, _run, term));
        packet.TurnRound(_server.Coordinate, _server.Packets.DefaultHopLimit);
        return Verdict.Forward;
    }

    // What waits goes there, too: nothing that was here is lost.
    private void Leave(LocalEndpoint endpoint, EndpointPlace to)
    {
        long now = _server.NowNanos;
        foreach (EndpointId old in _gone.Where(g => g.Value.UntilNanos <= now).Select(g => g.Key).ToArray())
        {
            _gone.Remove(old);
        }

        long until = now + (long)_options.ForwardTime.TotalNanoseconds;
        _gone[endpoint.Id] = new Forwarding(endpoint.Term, to, until);
        _courier.Places.Set(endpoint.Id, to);
        while (endpoint.TryTakeWaiting(out Packet? packet))
        {
            if (MessengerHeader.HeadOf(packet).Returns > 0)
            {
                // The windows that it lends are for this server's answer: it is asked anew.
                MessengerHeader.HeadOf(packet).Kind = MessengerKind.Missed;
                packet.TurnRound(_server.Coordinate, _server.Packets.DefaultHopLimit);
                _server.Send(packet, packet.Destination);
                continue;
            }

            _counters.Forwarded.Add();
            _courier.SendTo(packet, to);
        }

        endpoint.End(EndpointState.Moved);
    }

    private ulong NewToken()
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        do
        {
            _server.Random.FillSecret(bytes);
        } while (BitConverter.ToUInt64(bytes) == 0);

        return BitConverter.ToUInt64(bytes);
    }
}
