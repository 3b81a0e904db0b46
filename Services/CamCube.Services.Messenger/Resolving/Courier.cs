using CamCube.Services.Messenger.Counting;
using CamCube.Services.Messenger.Wire;

namespace CamCube.Services.Messenger.Resolving;

/// <summary>
/// Brings messages to where their endpoints are: by the places that are remembered, or after a search, for which they
/// wait. One that comes back missed is searched for anew and sent once more. Loop only.
/// </summary>
internal sealed class Courier
{
    // Searches that a resolver has not ended, those included that nobody waits for any more.
    private const int MostSearches = 1_024;
    private readonly Dictionary<EndpointId, Resolution> _searches = [];
    private readonly Stack<Resolution> _free = new();
    private readonly IServer _server;
    private readonly MessengerOptions _options;
    private readonly MessengerCounters _counters;
    private readonly IUnsent _unsent;
    private readonly Action<object?> _find;
    private int _waiting,
        _running;
    private bool _hasEnded;

    public Courier(
        IServer server,
        MessengerOptions options,
        MessengerCounters counters,
        PlaceCache places,
        IResolver resolver,
        IUnsent unsent
    )
    {
        (_server, _options, _counters, _unsent) = (server, options, counters, unsent);
        (Places, Resolver) = (places, resolver);
        _find = s => Find((Resolution)s!);
    }

    public PlaceCache Places { get; }

    public IResolver Resolver { get; set; }

    /// <summary>Messages that wait for a place.</summary>
    public int Waiting => _waiting;

    /// <summary>Takes a message, whatever the answer, with all but the receiver's run and term in its header.</summary>
    public SendStatus Send(Packet packet)
    {
        var to = new EndpointId(MessengerHeader.Of(packet).Destination);
        return Places.TryGet(to, out EndpointPlace place) && !_searches.ContainsKey(to)
            ? SendTo(packet, place)
            : Search(packet, to, default);
    }

    /// <summary>Takes a message for an endpoint whose place is known.</summary>
    public SendStatus SendTo(Packet packet, in EndpointPlace place)
    {
        ref MessengerHead head = ref MessengerHeader.HeadOf(packet);
        (head.PeerRun, head.Term) = ((uint)place.Run, place.Term);
        _unsent.OnPlaced(ShortNote.Of(packet), place);
        SendResult result = _server.Send(packet, place.Server);
        if (result == SendResult.Accepted)
        {
            _counters.Sent.Add();
        }

        return result switch
        {
            SendResult.Accepted => SendStatus.Sent,
            SendResult.NoRoute or SendResult.LinkDown => SendStatus.NoRoute,
            SendResult.TooLarge => SendStatus.TooLarge,
            _ => SendStatus.Busy,
        };
    }

    /// <summary>A message of this server is back: its endpoint is not where it was sent. Taken, or it is to be
    /// dropped.</summary>
    public Verdict OnMissed(Packet packet)
    {
        ref MessengerHeader header = ref MessengerHeader.Of(packet);
        ref MessengerHead head = ref MessengerHeader.HeadOf(packet);
        var id = new EndpointId(header.Destination);

        // Who asked is not where it was, so it waits no longer; and twice missed is enough.
        if ((head.Flags & (ShortFlags.Answer | ShortFlags.Again)) != 0)
        {
            _counters.Unresolved.Add();
            _unsent.OnUnsent(ShortNote.Of(packet), isUnresolved: true);
            return Verdict.Consume;
        }

        bool isKnown = Places.TryGet(id, out EndpointPlace place),
            isSame = (place.Server, (uint)place.Run, place.Term) == (packet.Source, head.PeerRun, head.Term);
        head.Flags |= ShortFlags.Again;
        head.Kind = MessengerKind.Short;
        packet.TurnRound(_server.Coordinate, _server.Packets.DefaultHopLimit);
        _server.Packets.Take(packet);
        if (isKnown && !isSame)
        {
            // Another message has found out meanwhile.
            SendFound(packet, place);
            return Verdict.Taken;
        }

        Places.Forget(id, place);
        ShortNote note = ShortNote.Of(packet);
        if (Search(packet, id, place) != SendStatus.Sent)
        {
            _unsent.OnUnsent(note, isUnresolved: false);
        }

        return Verdict.Taken;
    }

    /// <summary>Gives up what waits.</summary>
    public void Stop()
    {
        _hasEnded = true;
        foreach (Resolution search in _searches.Values.OrderBy(s => s.Id.Value).ToArray())
        {
            End(search, default);
        }
    }

    private SendStatus Search(Packet packet, EndpointId to, EndpointPlace wrong)
    {
        bool isNew = !_searches.TryGetValue(to, out Resolution? search);
        if (_waiting >= _options.WaitingForPlaces || (isNew && _running >= MostSearches) || _hasEnded)
        {
            _server.Packets.Release(packet);
            return SendStatus.Busy;
        }

        _waiting++;
        search ??= Begin(to, wrong);
        search.Waiting.Enqueue(packet);
        if (isNew)
        {
            // After the present callback: who sends waits for nothing yet.
            search.Turned = search.Turn;
            _server.Loop.Post(_find, search);
        }

        return SendStatus.Sent;
    }

    private Resolution Begin(EndpointId id, EndpointPlace wrong)
    {
        Resolution search = _free.TryPop(out Resolution? used) ? used : new Resolution(_server, OnLate);
        (search.Id, search.Wrong, search.Cancel) = (id, wrong, new CancellationTokenSource());
        search.Turn++;
        search.Timer.Arm(_options.ResolveTime);
        _searches.Add(id, search);
        _counters.Resolved.Add();
        return search;
    }

    private void Find(Resolution search)
    {
        int turn = search.Turn;
        if (search.Cancel is not null && search.Turned == turn)
        {
            search.Turned = 0;
            _server.Loop.Run(() => FindAsync(search, turn));
        }
    }

    private async ValueTask FindAsync(Resolution search, int turn)
    {
        _running++;
        try
        {
            EndpointPlace place = await Resolver.FindAsync(search.Id, search.Wrong, search.Cancel!.Token);
            if (search.Turn == turn && search.Cancel is not null)
            {
                End(search, place);
            }
        }
        catch (Exception) when (search.Turn != turn || search.Cancel is null || Resolver is not ResolverChain)
        {
            // Somebody else's resolver: what it throws is as good as no answer, which comes by time.
            _counters.Malformed.Add();
        }
        finally
        {
            _running--;
        }
    }

    private void OnLate(Resolution search)
    {
        if (search.Cancel is not null)
        {
            End(search, default);
        }
    }

    // What a resolver says may be anything.
    private void End(Resolution search, EndpointPlace place)
    {
        CancellationTokenSource cancel = search.Cancel!;
        search.Cancel = null;
        search.Timer.Cancel();
        _searches.Remove(search.Id);
        bool isFound = place is { IsKnown: true, Run: not 0 } && _server.Shape.Contains(place.Server) && !_hasEnded;
        if (isFound)
        {
            Places.Set(search.Id, place);
        }

        while (search.Waiting.TryDequeue(out Packet? packet))
        {
            _waiting--;
            if (isFound)
            {
                SendFound(packet, place);
                continue;
            }

            _counters.Unresolved.Add();
            _unsent.OnUnsent(ShortNote.Of(packet), isUnresolved: true);
            _server.Packets.Release(packet);
        }

        _free.Push(search);
        cancel.Cancel();
        cancel.Dispose();
    }

    private void SendFound(Packet packet, in EndpointPlace place)
    {
        ShortNote note = ShortNote.Of(packet);
        if (SendTo(packet, place) != SendStatus.Sent)
        {
            _unsent.OnUnsent(note, isUnresolved: false);
        }
    }
}
