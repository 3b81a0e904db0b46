using CamCube.Services.Messenger.Counting;
using CamCube.Services.Messenger.Endpoints;
using CamCube.Services.Messenger.Wire;

namespace CamCube.Services.Messenger.Names;

/// <summary>
/// Gets the names of this server's endpoints, and keeps them: asks the root of each name's key until it answers, says
/// again and again that the owner is, and at once when the root has changed. Loop only.
/// </summary>
internal sealed class Registrar
{
    private static readonly long MostPauseNanos = (long)TimeSpan.FromMilliseconds(320).TotalNanoseconds;
    private const int GiveUpTries = 5;
    private readonly PriorityQueue<LocalEndpoint, long> _due = new();
    private readonly List<LocalEndpoint> _leaving = [];
    private readonly IServer _server;
    private readonly MessengerOptions _options;
    private readonly MessengerCounters _counters;
    private readonly EndpointTable _endpoints;
    private readonly ServerTimer _timer;
    private readonly ulong _run;
    private readonly long _askNanos,
        _renewNanos;
    private ulong _openings;

    public Registrar(
        IServer server,
        MessengerOptions options,
        MessengerCounters counters,
        EndpointTable endpoints,
        ulong run
    )
    {
        (_server, _options, _counters, _endpoints, _run) = (server, options, counters, endpoints, run);
        _timer = server.CreateTimer(OnDue);
        _askNanos = (long)options.AskTime.TotalNanoseconds;
        _renewNanos = (long)options.RenewTime.TotalNanoseconds;
    }

    /// <summary>Names that are being given up.</summary>
    public int Leaving => _leaving.Count;

    /// <summary>Largest term that an endpoint of this server had: a later one gets a larger.</summary>
    public uint LastTerm { get; private set; }

    /// <summary>An endpoint wants its name; one on standby waits for it.</summary>
    public void Add(LocalEndpoint endpoint)
    {
        Registration registration = endpoint.Registration;
        registration.Opening = ++_openings;
        registration.PatientUntilNanos = _server.NowNanos + (long)endpoint.Options.Patience.TotalNanoseconds;
        if (endpoint.State == EndpointState.Opening)
        {
            AskNow(endpoint);
        }
    }

    /// <summary>An endpoint has got its name from its owner on another server: the root is told.</summary>
    public void TakeOver(LocalEndpoint endpoint, uint term)
    {
        LastTerm = Math.Max(LastTerm, term);
        endpoint.Own(term);
        AskNow(endpoint);
    }

    /// <summary>An endpoint has ended that wanted its name or had it: the root is told, some times.</summary>
    public void Remove(LocalEndpoint endpoint, bool isStopping)
    {
        if (isStopping)
        {
            Send(endpoint, RegisterStatus.GiveUp);
            return;
        }

        _leaving.Add(endpoint);
        endpoint.Registration.RootRun = GiveUpTries;
        AskNow(endpoint);
    }

    /// <summary>The view has changed: whoever has another root now tells it, or asks it.</summary>
    public void OnTopologyChanged()
    {
        foreach (LocalEndpoint endpoint in _endpoints.All)
        {
            Registration registration = endpoint.Registration;
            if (endpoint.State == EndpointState.Opening)
            {
                // Questions to a root that was lost have made the pauses long.
                AskNow(endpoint);
                continue;
            }

            if (!endpoint.IsOwned || !registration.IsConfirmed)
            {
                continue;
            }

            Coordinate root = _server.Topology.RootOf(endpoint.Key);
            if (root != registration.Root || _server.Topology.IncarnationOf(root) != registration.RootRun)
            {
                AskNow(endpoint);
            }
        }
    }

    /// <summary>The root has answered.</summary>
    public Verdict OnRegistered(Packet packet)
    {
        ref MessengerHeader header = ref MessengerHeader.Of(packet);
        ref MessengerHead head = ref MessengerHeader.HeadOf(packet);
        ulong opening = header.Question;
        if (head.Run != _run)
        {
            return Stale();
        }

        if (header.Status == RegisterStatus.GivenUp)
        {
            _leaving.RemoveAll(e => e.Registration.Opening == opening);
            return Verdict.Consume;
        }

        if (
            !_endpoints.TryGet(new EndpointId(header.Destination), out LocalEndpoint? endpoint)
            || endpoint.Registration.Opening != opening
            || head.SourceTerm != endpoint.Term
        )
        {
            return Stale();
        }

        Registration registration = endpoint.Registration;
        switch (header.Status)
        {
            case RegisterStatus.Granted when head.Term != 0:
                registration.IsConfirmed = true;
                registration.Root = packet.Source;
                registration.RootRun = _server.Topology.IncarnationOf(packet.Source);
                registration.PauseNanos = 0;
                Due(endpoint, _server.NowNanos + _renewNanos);
                if (endpoint.State == EndpointState.Opening)
                {
                    LastTerm = Math.Max(LastTerm, head.Term);
                    endpoint.Own(head.Term);
                }

                return Verdict.Consume;
            case RegisterStatus.Taken
                when endpoint.State == EndpointState.Opening && _server.NowNanos < registration.PatientUntilNanos:
            case RegisterStatus.Taken when endpoint.IsMoving:
            case RegisterStatus.Wait:
                registration.PauseNanos = 0;
                Due(endpoint, _server.NowNanos + _askNanos);
                return Verdict.Consume;
            case RegisterStatus.Taken:
                _counters.NamesLost.Add();
                endpoint.End(EndpointState.NameLost);
                return Verdict.Consume;
            default:
                _counters.Malformed.Add();
                return Verdict.Drop(DropReason.Malformed);
        }
    }

    /// <summary>The root says that another has the name.</summary>
    public Verdict OnOusted(Packet packet)
    {
        ref MessengerHead head = ref MessengerHeader.HeadOf(packet);
        var id = new EndpointId(MessengerHeader.Of(packet).Destination);
        EndpointPlace winner = PlaceRecord.Read(packet.Body, _server.Shape);
        if (
            head.PeerRun != (uint)_run
            || !_endpoints.TryGetOwner(id, head.Term, out LocalEndpoint? endpoint)
            || endpoint.IsMoving
            || !winner.Beats(new EndpointPlace(_server.Coordinate, _run, endpoint.Term))
        )
        {
            return Stale();
        }

        _counters.NamesLost.Add();
        endpoint.End(EndpointState.NameLost);
        return Verdict.Consume;
    }

    private Verdict Stale()
    {
        _counters.Stale.Add();
        return Verdict.Consume;
    }

    private void AskNow(LocalEndpoint endpoint)
    {
        endpoint.Registration.IsConfirmed = false;
        endpoint.Registration.PauseNanos = 0;
        Due(endpoint, _server.NowNanos);
    }

    private void Due(LocalEndpoint endpoint, long nanos)
    {
        endpoint.Registration.DueNanos = nanos;
        _due.Enqueue(endpoint, nanos);

        // Not at this time: an entry that counts no more may stand before it, also one of this endpoint.
        _due.TryPeek(out _, out long first);
        _timer.ArmAt(first);
    }

    private void OnDue()
    {
        while (_due.TryPeek(out LocalEndpoint? endpoint, out long nanos) && nanos <= _server.NowNanos)
        {
            _due.Dequeue();
            Registration registration = endpoint.Registration;
            if (registration.DueNanos != nanos)
            {
                continue;
            }

            bool isLeaving = !endpoint.IsAlive;
            if (isLeaving && (registration.RootRun-- == 0 || !_leaving.Contains(endpoint)))
            {
                _leaving.Remove(endpoint);
                continue;
            }

            Send(endpoint, isLeaving ? RegisterStatus.GiveUp : RegisterStatus.Ask);
            registration.PauseNanos =
                registration.PauseNanos == 0 ? _askNanos : Math.Min(MostPauseNanos, registration.PauseNanos * 2);
            Due(endpoint, _server.NowNanos + registration.PauseNanos);
        }

        if (_due.TryPeek(out _, out long next))
        {
            _timer.ArmAt(next);
        }
    }

    private void Send(LocalEndpoint endpoint, RegisterStatus status)
    {
        if (!_server.Packets.TryRent(PlaceRecord.Size, out Packet? packet))
        {
            return;
        }

        packet.WritableBody().Clear();
        ref MessengerHeader header = ref MessengerHeader.Of(packet);
        ref MessengerHead head = ref MessengerHeader.HeadOf(packet);
        (header.Destination, header.Question, header.Status) = (
            endpoint.Id.Value,
            endpoint.Registration.Opening,
            status
        );
        (head.Kind, head.Run, head.SourceTerm, head.Term) = (MessengerKind.Register, _run, endpoint.Term, LastTerm);
        _server.Send(packet, endpoint.Key);
    }
}
