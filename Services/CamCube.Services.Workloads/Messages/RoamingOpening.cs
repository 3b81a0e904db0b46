using CamCube.Services.Messenger;

namespace CamCube.Services.Workloads.Messages;

/// <summary>An endpoint, and all that came to it. Loop only.</summary>
internal sealed class RoamingOpening(IServer server, IEndpoint endpoint)
{
    private readonly SortedDictionary<int, NumberSet> _numbers = [];
    private long _ownedNanos,
        _firstNanos,
        _lastNanos,
        _received,
        _wrong,
        _malformed;
    private uint _term;

    /// <summary>The endpoint.</summary>
    public IEndpoint Endpoint => endpoint;

    /// <summary>Takes what comes until the endpoint ends.</summary>
    public async ValueTask ServeAsync()
    {
        server.Loop.Run(NoteOwnerAsync);
        while (await endpoint.WaitAsync())
        {
            while (endpoint.TryReceive(out Message? message))
            {
                Note(message);
                message.Release();
            }
        }
    }

    /// <summary>All that came.</summary>
    public OpeningReport Report(bool withNumbers) =>
        new(
            endpoint.Name,
            _term,
            endpoint.State.ToString().ToLowerInvariant(),
            _ownedNanos,
            _firstNanos,
            _lastNanos,
            _received,
            _wrong,
            _malformed,
            _numbers.Values.Sum(set => (long)set.Doubled),
            withNumbers ? _numbers.ToDictionary(pair => pair.Key, pair => pair.Value.ToString()) : []
        );

    private async ValueTask NoteOwnerAsync()
    {
        if (await endpoint.OwnedAsync())
        {
            (_ownedNanos, _term) = (server.NowNanos, endpoint.Term);
        }
    }

    private void Note(Message message)
    {
        _received++;
        _lastNanos = server.NowNanos;
        if (message.Count != 1 || !RoamingBody.TryRead(message[0], out RoamingBody body))
        {
            _malformed++;
            return;
        }

        if (body.To != endpoint.Id.Value)
        {
            _wrong++;
            return;
        }

        _firstNanos = _firstNanos == 0 ? server.NowNanos : _firstNanos;
        if (!_numbers.TryGetValue(body.Sender, out NumberSet? set))
        {
            _numbers.Add(body.Sender, set = new NumberSet());
        }

        set.Add(body.Number);
    }
}
