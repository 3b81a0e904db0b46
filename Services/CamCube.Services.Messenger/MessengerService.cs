using System.Diagnostics.CodeAnalysis;
using CamCube.Messaging;
using CamCube.Services.Messenger.Calls;
using CamCube.Services.Messenger.Counting;
using CamCube.Services.Messenger.Endpoints;
using CamCube.Services.Messenger.Long;
using CamCube.Services.Messenger.Moves;
using CamCube.Services.Messenger.Names;
using CamCube.Services.Messenger.Resolving;
using CamCube.Services.Messenger.Windows;
using CamCube.Services.Messenger.Wire;

namespace CamCube.Services.Messenger;

/// <summary>
/// Messages between named endpoints (LibRIPC): short ones in one packet, long ones into windows of the receiver, calls;
/// docs/messenger.md says what is guaranteed. Other services of the server use it as <see cref="IMessenger"/>. Loop
/// only.
/// </summary>
[CamCubeService(0x0112, "messenger", Header = typeof(MessengerHeader))]
public sealed class MessengerService : CamCubeService, IMessenger, IServiceCommands
{
    private readonly IServer _server;
    private readonly MessengerOptions _options;
    private readonly StreamEndpoint<MessengerHeader> _streamEndpoint;
    private readonly EndpointCounters _counts;
    private readonly EndpointTable _endpoints;
    private readonly ReceivedPool _pool;
    private readonly NameDirectory _directory;
    private readonly Registrar _registrar;
    private readonly DirectoryResolver _finder;
    private readonly BroadcastResolver _broadcast;
    private readonly Courier _courier;
    private readonly CallTable _calls;
    private readonly WindowPool _windows;
    private readonly Streams _streams;
    private readonly LongSender _longSender;
    private readonly LongReceiver _longReceiver;
    private readonly Mover _mover;
    private readonly Inbound _inbound;
    private readonly EndpointWork _work;
    private readonly OwnEndpoint _own;

    // What comes is copied into windows at once, so it costs little to allow much, and no message of this length waits
    // for a round trip.
    private const int FirstCredit = 1 << 20;

    private readonly MessengerCommands _commands;
    private bool _isRunning;

    /// <summary>The messenger of one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Settings, valid.</param>
    public MessengerService(IServer server, MessengerOptions options)
    {
        (_server, _options) = (server, options);
        Counters = new MessengerCounters(server.Counters);
        _counts = new EndpointCounters(server.Counters, options.CountedEndpoints);
        _endpoints = new EndpointTable(_counts);
        _streams = new Streams(server);
        _streamEndpoint = new StreamEndpoint<MessengerHeader>(
            server,
            new StreamOptions { FirstCredit = FirstCredit },
            _streams
        );
        ulong run = _streamEndpoint.Run;
        _pool = new ReceivedPool(server);
        _directory = new NameDirectory(server, options, Counters);
        _registrar = new Registrar(server, options, Counters, _endpoints, run);
        _finder = new DirectoryResolver(server, options);
        _broadcast = new BroadcastResolver(server, options, Counters, _endpoints, run);
        _calls = new CallTable(server, Counters);
        _windows = new WindowPool(server, options, Counters);
        _work = new EndpointWork(server, run);
        var places = new PlaceCache(options.Places, Counters);
        _courier = new Courier(server, options, Counters, places, new ResolverChain(_finder, _broadcast), _work);
        _longSender = new LongSender(server, options, _streams, _work.Offer);
        _longReceiver = new LongReceiver(_pool, options, Counters, _calls, _streams);
        _mover = new Mover(server, options, Counters, _endpoints, _registrar, _courier, run);
        _streams.Bind(_streamEndpoint, _longSender, _longReceiver);
        _work.Bind(_endpoints, Counters, _registrar, _courier, _calls, _longSender, _longReceiver, _mover);
        _inbound = new Inbound(server, Counters, _endpoints, _pool, _courier, _calls, _longReceiver, _mover, run);
        _own = new OwnEndpoint(server, this);
        _commands = new MessengerCommands(server, this, _own);
    }

    /// <inheritdoc/>
    public IReadOnlyList<ServiceCommand> Commands => _commands.Commands;

    /// <inheritdoc/>
    public IResolver Resolver
    {
        get => _courier.Resolver;
        set
        {
            ArgumentNullException.ThrowIfNull(value);
            _courier.Resolver = value;
        }
    }

    internal MessengerCounters Counters { get; }

    internal NameDirectory Directory => _directory;

    internal Courier Courier => _courier;

    internal IResolver Finder => _finder;

    internal IResolver Broadcast => _broadcast;

    internal CallTable Calls => _calls;

    internal ReceivedPool Pool => _pool;

    internal WindowPool WindowPool => _windows;

    internal StreamEndpoint<MessengerHeader> StreamEndpoint => _streamEndpoint;

    internal ulong Run => _streamEndpoint.Run;

    /// <summary>Endpoints, names being given up, messages that wait for places, calls, long messages, streams.
    /// </summary>
    internal (int Endpoints, int Leaving, int Waiting, int Calls, int Long, int Streams) Left =>
        (
            _endpoints.Count,
            _registrar.Leaving,
            _courier.Waiting,
            _calls.Open,
            _longSender.Count + _longReceiver.Count,
            _streams.Count
        );

    /// <inheritdoc/>
    public EndpointOpen TryOpen(string name, EndpointOptions? options, [NotNullWhen(true)] out IEndpoint? endpoint)
    {
        endpoint = null;
        options ??= new EndpointOptions();
        if (!_isRunning || options.Lifetime.IsCancellationRequested)
        {
            return EndpointOpen.Closed;
        }

        if (
            name is null
            || !EndpointId.TryOfName(name, out EndpointId id)
            || options.ReceiveBuffers is < 0 or > 65_536
            || options.Patience < TimeSpan.Zero
        )
        {
            return EndpointOpen.Invalid;
        }

        if (_endpoints.TryGet(id, out _))
        {
            return EndpointOpen.Taken;
        }

        if (_endpoints.Count >= _options.Endpoints)
        {
            return EndpointOpen.Full;
        }

        int buffers = options.ReceiveBuffers == 0 ? _options.ReceiveBuffers : options.ReceiveBuffers;
        var opened = new LocalEndpoint(
            _server,
            _work,
            name,
            id,
            options,
            _counts.Open(name),
            buffers,
            _options.Windows
        );
        _endpoints.TryAdd(opened);
        Counters.Endpoints.Set(_endpoints.Count);
        opened.Bind();
        _registrar.Add(opened);
        endpoint = opened;
        return EndpointOpen.Ok;
    }

    /// <inheritdoc/>
    public int ShortRoom(int items)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)items, (uint)ShortBody.MostItems);
        return _work.MostBody - ShortBody.HeadBytes(0, items);
    }

    /// <inheritdoc/>
    public bool TryRentWindow(int length, [NotNullWhen(true)] out Window? window) =>
        _windows.TryRent(length, out window);

    /// <inheritdoc/>
    public void ReturnWindow(Window window) => _windows.Return(window);

    /// <inheritdoc/>
    public IReadOnlyList<EndpointNumbers> List() =>
        [
            .. _endpoints
                .All.OrderBy(e => e.Name, StringComparer.Ordinal)
                .Select(e => new EndpointNumbers(
                    e.Name,
                    e.Id,
                    e.State,
                    e.Term,
                    e.Counts.Received.Value,
                    e.Counts.Dropped.Value,
                    (int)e.Counts.Windows.Value
                )),
        ];

    /// <inheritdoc/>
    public IReadOnlyList<(string What, long Count)> Leftovers() =>
        [
            ("endpoints", _endpoints.Count),
            ("names that are being given up", _registrar.Leaving),
            ("messages that wait for places", _courier.Waiting),
            ("calls", _calls.Open),
            ("handles of windows", _calls.Handles),
            ("long messages being sent", _longSender.Count),
            ("long messages being received", _longReceiver.Count),
            ("messages that were not released", _pool.Used),
            ("rented windows", _windows.Rented),
            ("streams of messages", _streams.Count),
            ("streams", _streamEndpoint.Streams),
            ("bytes to send", _streamEndpoint.SendBytes),
            ("bytes to receive", _streamEndpoint.ReceiveBytes),
        ];

    /// <inheritdoc/>
    public override void OnStart()
    {
        _isRunning = true;
        _streamEndpoint.Start();
        _directory.Start();
        if (_options.HasOwnEndpoint)
        {
            _own.Start();
        }
    }

    /// <inheritdoc/>
    public override void OnStop(StopReason reason)
    {
        _isRunning = false;
        foreach (LocalEndpoint endpoint in _endpoints.All)
        {
            _work.IsStopping = true;
            endpoint.End(EndpointState.Closed);
        }

        _courier.Stop();
        _streamEndpoint.Stop();
        _pool.HasEnded = true;
    }

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change)
    {
        _streamEndpoint.OnTopologyChanged(change);
        _directory.OnTopologyChanged(change);
        if (change.Event is TopologyEvent.ServerLost or TopologyEvent.ServerUnreachable)
        {
            _courier.Places.Forget(change.Server);
            _calls.OnServerLost(change.Server);
        }

        _registrar.OnTopologyChanged();
    }

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet)
    {
        if (StreamEndpoint<MessengerHeader>.IsOfStreams(packet))
        {
            return _streamEndpoint.OnPacket(hop, packet);
        }

        MessengerKind kind = MessengerHeader.HeadOf(packet).Kind;
        if (kind == MessengerKind.Query)
        {
            return _broadcast.OnQuery(hop, packet);
        }

        if (!hop.IsDestination)
        {
            return Verdict.Forward;
        }

        switch (kind)
        {
            case MessengerKind.Short:
                return _inbound.OnShort(packet);
            case MessengerKind.Missed:
                return _inbound.OnMissed(packet);
            case MessengerKind.Register:
                return _directory.OnRegister(packet);
            case MessengerKind.Registered:
                return _registrar.OnRegistered(packet);
            case MessengerKind.Find:
                return _directory.OnFind(packet);
            case MessengerKind.Found:
                return _finder.OnFound(packet);
            case MessengerKind.Ousted:
                return _registrar.OnOusted(packet);
            case MessengerKind.Here:
                return _broadcast.OnHere(packet);
            case MessengerKind.AskMove:
                return _mover.OnAskMove(packet);
            case MessengerKind.Move:
                return _mover.OnMove(packet);
            case MessengerKind.MoveToken:
            case MessengerKind.Moved:
                return _mover.OnReply(packet);
            case MessengerKind.OfferAnswer:
                _longSender.OnOfferAnswer(MessengerHeader.Of(packet).Question);
                return Verdict.Consume;
            default:
                Counters.Malformed.Add();
                return Verdict.Drop(DropReason.Malformed);
        }
    }
}
