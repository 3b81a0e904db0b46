using CamCube.Services.Messenger.Counting;
using CamCube.Services.Messenger.Wire;

namespace CamCube.Services.Messenger.Names;

/// <summary>
/// Who has the names whose keys have their root here. Nothing of it is kept elsewhere: when a root is lost, owners tell
/// the next one. So a new root first waits for them (<see cref="MessengerOptions.SettleTime"/>) before it gives a name
/// away or says that nobody has it. Loop only.
/// </summary>
internal sealed class NameDirectory
{
    private readonly Dictionary<EndpointId, DirectoryName> _names = [];
    private readonly List<EndpointId> _gone = [];
    private readonly IServer _server;
    private readonly MessengerOptions _options;
    private readonly MessengerCounters _counters;
    private long _settledNanos;

    public NameDirectory(IServer server, MessengerOptions options, MessengerCounters counters) =>
        (_server, _options, _counters) = (server, options, counters);

    public int Count => _names.Count;

    // Who was told to wait for a name asks again within the pause between questions, and should have it before others
    // hear that nobody has.
    private long GraceNanos => (long)_options.AskTime.TotalNanoseconds * 2;

    private long LeaseNanos => (long)_options.RenewTime.TotalNanoseconds * 3;

    public void Start()
    {
        Unsettle();
        _server.Every(_options.RenewTime, Sweep);
    }

    /// <summary>A change of the view: names of lost servers have no owner, and those with another root are not
    /// here.</summary>
    public void OnTopologyChanged(in TopologyChange change)
    {
        if (change.Event is TopologyEvent.LinkDown or TopologyEvent.LinkUp)
        {
            return;
        }

        Unsettle();
        foreach ((EndpointId id, DirectoryName name) in _names)
        {
            if (!_server.Topology.IsRoot(name.Key))
            {
                _gone.Add(id);
            }
            else if (
                change.Event
                    is TopologyEvent.ServerLost
                        or TopologyEvent.ServerUnreachable
                        or TopologyEvent.ServerReturned
                && name.Owner.Server == change.Server
            )
            {
                // Owners that are still the same say so again.
                name.IsOwned = false;
                name.HeardNanos = _server.NowNanos;
            }
        }

        Forget();
    }

    /// <summary>An owner, or who wants to be one, has come; the packet becomes the answer.</summary>
    public Verdict OnRegister(Packet packet)
    {
        ref MessengerHeader header = ref MessengerHeader.Of(packet);
        ref MessengerHead head = ref MessengerHeader.HeadOf(packet);
        var id = new EndpointId(header.Destination);
        var asker = new EndpointPlace(packet.Source, head.Run, head.SourceTerm);
        if (packet.BodyLength != PlaceRecord.Size || head.Run == 0 || !_server.Shape.Contains(packet.Source))
        {
            _counters.Malformed.Add();
            return Verdict.Drop(DropReason.Malformed);
        }

        Key key = id.ToKey();
        if (!_server.Topology.IsRoot(key))
        {
            _counters.Stale.Add();
            return Verdict.Drop(DropReason.Stale);
        }

        EndpointPlace owner = default;
        header.Status =
            header.Status == RegisterStatus.GiveUp ? GiveUp(id, asker, header.Question)
            : asker.Term == 0 ? Want(id, key, asker, head.Term, header.Question, out owner)
            : Renew(id, key, asker, header.Question, out owner);
        head.Kind = MessengerKind.Registered;
        head.PeerRun = (uint)head.Run;
        head.Term = owner.Term;
        PlaceRecord.Write(packet.WritableBody(), owner);
        packet.TurnRound(_server.Coordinate, _server.Packets.DefaultHopLimit);
        return Verdict.Forward;
    }

    /// <summary>Somebody looks for an endpoint; the packet becomes the answer.</summary>
    public Verdict OnFind(Packet packet)
    {
        ref MessengerHeader header = ref MessengerHeader.Of(packet);
        ref MessengerHead head = ref MessengerHeader.HeadOf(packet);
        var id = new EndpointId(header.Destination);
        if (packet.BodyLength != PlaceRecord.Size || !_server.Shape.Contains(packet.Source))
        {
            _counters.Malformed.Add();
            return Verdict.Drop(DropReason.Malformed);
        }

        EndpointPlace owner = _names.TryGetValue(id, out DirectoryName? name) && name.IsOwned ? name.Owner : default;
        header.Status =
            owner.IsKnown ? RegisterStatus.Taken
            : _server.NowNanos < _settledNanos + GraceNanos || !_server.Topology.IsRoot(id.ToKey())
                ? RegisterStatus.Wait
            : RegisterStatus.GivenUp;
        head.Kind = MessengerKind.Found;
        head.PeerRun = (uint)head.Run;
        PlaceRecord.Write(packet.WritableBody(), owner);
        packet.TurnRound(_server.Coordinate, _server.Packets.DefaultHopLimit);
        return Verdict.Forward;
    }

    // A new opening.
    private RegisterStatus Want(
        EndpointId id,
        Key key,
        EndpointPlace asker,
        uint least,
        ulong opening,
        out EndpointPlace owner
    )
    {
        owner = default;
        bool isKnown = _names.TryGetValue(id, out DirectoryName? name);
        if (isKnown && name!.IsOwned)
        {
            owner = name.Owner;
            bool isSame = owner.Server == asker.Server;
            if (isSame && owner.Run == asker.Run && name.Opening == opening)
            {
                name.HeardNanos = _server.NowNanos;
                return RegisterStatus.Granted;
            }

            if (!isSame || owner.Run > asker.Run || (owner.Run == asker.Run && name.Opening > opening))
            {
                return RegisterStatus.Taken;
            }
        }
        else if (_server.NowNanos < _settledNanos)
        {
            return RegisterStatus.Wait;
        }

        if (!isKnown && !TryAdd(id, key, out name))
        {
            return RegisterStatus.Wait;
        }

        owner = asker with { Term = Math.Max(name!.Owner.Term, least) + 1 };
        (name.Owner, name.Opening, name.IsOwned) = (owner, opening, true);
        name.HeardNanos = _server.NowNanos;
        return RegisterStatus.Granted;
    }

    // An owner says that it is.
    private RegisterStatus Renew(EndpointId id, Key key, EndpointPlace asker, ulong opening, out EndpointPlace owner)
    {
        owner = default;
        if (!_names.TryGetValue(id, out DirectoryName? name) && !TryAdd(id, key, out name))
        {
            return RegisterStatus.Wait;
        }

        owner = name.Owner;
        if (name.IsOwned && owner != asker)
        {
            if (!asker.Beats(owner))
            {
                return RegisterStatus.Taken;
            }

            Oust(id, owner, asker);
        }

        owner = asker;
        (name.Owner, name.Opening, name.IsOwned) = (asker, opening, true);
        name.HeardNanos = _server.NowNanos;
        return RegisterStatus.Granted;
    }

    private RegisterStatus GiveUp(EndpointId id, in EndpointPlace asker, ulong opening)
    {
        if (
            _names.TryGetValue(id, out DirectoryName? name)
            && name.IsOwned
            && (name.Owner.Server, name.Owner.Run, name.Opening) == (asker.Server, asker.Run, opening)
        )
        {
            name.IsOwned = false;
            name.HeardNanos = _server.NowNanos;
        }

        return RegisterStatus.GivenUp;
    }

    private void Oust(EndpointId id, in EndpointPlace loser, in EndpointPlace winner)
    {
        if (!_server.Packets.TryRent(PlaceRecord.Size, out Packet? packet))
        {
            // It learns of it when it says again that it is the owner.
            return;
        }

        PlaceRecord.Write(packet.WritableBody(), winner);
        MessengerHeader.Of(packet).Destination = id.Value;
        ref MessengerHead head = ref MessengerHeader.HeadOf(packet);
        (head.Kind, head.Term, head.PeerRun) = (MessengerKind.Ousted, loser.Term, (uint)loser.Run);
        _server.Send(packet, loser.Server);
    }

    private bool TryAdd(
        EndpointId id,
        Key key,
        [System.Diagnostics.CodeAnalysis.NotNullWhen(true)] out DirectoryName? name
    )
    {
        name = null;
        if (_names.Count >= _options.Names)
        {
            Sweep();
            if (_names.Count >= _options.Names)
            {
                return false;
            }
        }

        _names.Add(id, name = new DirectoryName { Key = key });
        _counters.Names.Set(_names.Count);
        return true;
    }

    // Names whose owners are silent are free, and those that nobody has are forgotten.
    private void Sweep()
    {
        long old = _server.NowNanos - LeaseNanos;
        foreach ((EndpointId id, DirectoryName name) in _names)
        {
            if (name.HeardNanos <= old)
            {
                _gone.Add(id);
            }
        }

        Forget();
    }

    private void Forget()
    {
        foreach (EndpointId id in _gone)
        {
            _names.Remove(id);
        }

        _gone.Clear();
        _counters.Names.Set(_names.Count);
    }

    private void Unsettle() => _settledNanos = _server.NowNanos + (long)_options.SettleTime.TotalNanoseconds;
}
