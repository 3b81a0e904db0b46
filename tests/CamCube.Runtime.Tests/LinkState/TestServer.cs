using System.Diagnostics.CodeAnalysis;
using CamCube.Runtime.Core;
using CamCube.Topology;

namespace CamCube.Runtime.Tests.LinkState;

/// <summary>One run of one server with nothing but the link-state service.</summary>
internal sealed class TestServer : IServer, IServerPackets, IServerCounters, ICoreServer
{
    private readonly CancellationTokenSource _stopping = new();
    private readonly long[] _heard = new long[Links.Cables];
    private readonly long[] _sent = new long[Links.Cables];
    private readonly uint _owner;
    private bool _isFaulted;

    public TestServer(LinkStateCube cube, int rank, ulong incarnation, bool isCommissioned)
    {
        (Cube, Rank, Incarnation, IsCommissioned) = (cube, rank, incarnation, isCommissioned);
        Coordinate = cube.Shape.At(rank);
        _owner = OwnerWords.Make(PacketState.Held, 0, rank);
        Array.Fill(_heard, long.MinValue);
        Array.Fill(_sent, long.MinValue);
        View = null!;
        Service = null!;
    }

    public LinkStateCube Cube { get; }

    public int Rank { get; }

    public LinkStateService Service { get; private set; }

    /// <summary>Timers of an earlier instance do not fire.</summary>
    public int Instance { get; private set; }

    public CubeView View { get; private set; }

    public bool HasKeys { get; private set; }

    public bool IsSettled { get; private set; }

    public long KeysTrustedUntil { get; private set; }

    /// <summary>As services see it.</summary>
    public bool ActsOnKeys => HasKeys && NowNanos < KeysTrustedUntil;

    public LinkSet Up { get; private set; }

    public long PausedUntil { get; set; }

    public bool IsStopped => _stopping.IsCancellationRequested;

    public List<string> Events { get; } = [];

    public bool RefusesRent { get; set; }

    /// <summary>How long services delay a return.</summary>
    public long ReturnNanos { get; set; }

    public int Returns { get; private set; }

    public long NowNanos => Cube.Now;

    public Coordinate Coordinate { get; }

    public TorusShape Shape => Cube.Shape;

    public ulong Incarnation { get; private set; }

    /// <summary>Runs that were taken because others remembered a later one.</summary>
    public int RunsBegunAnew { get; private set; }

    public int MaxPayload => Cube.MaxPayload;

    public ushort DefaultHopLimit => 64;

    public CancellationToken Stopping => _stopping.Token;

    public bool IsCommissioned { get; }

    public LivenessOptions Liveness => Cube.Liveness;

    public CubeViewCache Views => Cube.Views;

    IServer ICoreServer.Server => this;

    public ITopologyView Topology => throw new NotSupportedException();

    public TimeProvider TimeProvider => throw new NotSupportedException();

    public IServerLoop Loop => throw new NotSupportedException();

    public IOutboundQueue Queue => throw new NotSupportedException();

    public IServerDisk Disk => throw new NotSupportedException();

    public IServerMemory Memory => throw new NotSupportedException();

    public IServerWork Work => throw new NotSupportedException();

    public IServerGate Gate => throw new NotSupportedException();

    public IServerPackets Packets => this;

    public IServerRandom Random => throw new NotSupportedException();

    public IServerCounters Counters => this;

    public ServerSummary Summarise() => throw new NotSupportedException();

    public void Start()
    {
        Service = new LinkStateService(this);
        Service.OnStart();
    }

    /// <summary>The instance faulted: its timers are gone, packets are lost until another takes its place.</summary>
    public void DropTimers()
    {
        Instance++;
        _isFaulted = true;
    }

    /// <summary>What the runtime does some time after a fault.</summary>
    public void ReplaceService()
    {
        _isFaulted = false;
        Start();
    }

    public void Stop() => _stopping.Cancel();

    public void Receive(Link link, byte[] header, byte[] body, Coordinate source)
    {
        if (link != Link.Local)
        {
            _heard[(int)link] = NowNanos;
        }

        if (_isFaulted)
        {
            return;
        }

        Packet packet = Fill(header.Length, body);
        header.CopyTo(packet.HeaderSpan);
        packet.SourceRoute = source.Packed;
        Verdict verdict = Service.OnPacket(new HopContext(link, false, NowNanos), packet);
        Cube.Verdicts[(int)verdict.Kind]++;
        Release(packet);
        Cube.AfterEvent?.Invoke();
    }

    /// <summary>As a frame of another service would: keeps the link alive, says nothing.</summary>
    public void HearOtherTraffic(Link link) => _heard[(int)link] = NowNanos;

    public long LastHeardNanos(Link link) => _heard[(int)link];

    public long LastSentNanos(Link link) => _sent[(int)link];

    public void ForgiveSilence(long nowNanos)
    {
        for (int i = 0; i < _heard.Length; i++)
        {
            _heard[i] = _heard[i] == long.MinValue ? _heard[i] : nowNanos;
        }
    }

    public void SetLinkUp(Link link, bool up)
    {
        Assert.True(Shape.CabledLinks(Coordinate).Contains(link));
        if (Up.Contains(link) != up)
        {
            Up = up ? Up | link : Up - link;
            Log(up ? $"up {link.Name()}" : $"down {link.Name()}");
        }
    }

    public void SetView(CubeView view)
    {
        CubeView before = View ?? view;
        foreach (Coordinate server in view.LostSince(before, Coordinate))
        {
            Log($"lost {server}");
        }

        foreach (Coordinate server in view.ReturnedSince(before, Coordinate))
        {
            Log($"returned {server}");
        }

        View = view;
        Cube.Changes++;
    }

    public void ReturnServices(Action completed)
    {
        Returns++;
        Cube.At(NowNanos + ReturnNanos, this, isPacket: false, completed);
    }

    public void BeginAnew(ulong incarnation) => (Incarnation, RunsBegunAnew) = (incarnation, RunsBegunAnew + 1);

    public void SetSettled(bool isSettled) => IsSettled = isSettled;

    public void TrustKeysUntil(long nanos) => KeysTrustedUntil = nanos;

    public void SetHasKeys(bool hasKeys)
    {
        if (HasKeys != hasKeys)
        {
            HasKeys = hasKeys;
            Cube.Changes++;
            Log(hasKeys ? "keys taken" : "keys suspended");
        }
    }

    public bool TryRent(int bodyLength, [NotNullWhen(true)] out Packet? packet)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(bodyLength, MaxPayload - LinkStateService.HeaderLength);
        packet = RefusesRent ? null : Fill(LinkStateService.HeaderLength, new byte[bodyLength]);
        return packet is not null;
    }

    public SendResult SendVia(Packet packet, LinkSet anyOf)
    {
        Assert.Equal(1, anyOf.Count);
        Link link = anyOf.First;
        _sent[(int)link] = NowNanos;
        Cube.Transmit(this, link, packet.HeaderSpan.ToArray(), packet.Body.ToArray());
        Release(packet);
        return SendResult.Accepted;
    }

    public void Release(Packet packet) => Cube.Pool.Free(packet, _owner);

    public ServerTimer CreateTimer(Action onDue) => new TestTimer(this, onDue);

    public Counter Create(string name, string unit)
    {
        if (!Cube.Counters.TryGetValue(name, out Counter? counter))
        {
            Cube.Counters[name] = counter = new Counter(name, unit);
        }

        return counter;
    }

    public ValueTask<Packet?> RentAsync(int bodyLength) => throw new NotSupportedException();

    public bool TryShare(Packet packet, [NotNullWhen(true)] out Packet? copy) => throw new NotSupportedException();

    public void Take(Packet packet) => throw new NotSupportedException();

    public SendResult Send(Packet packet, Destination to) => throw new NotSupportedException();

    public SendResult TrySend(ref Packet? packet, Destination to) => throw new NotSupportedException();

    public SendResult SendToAll(Packet packet, LinkSet allOf) => throw new NotSupportedException();

    public Backlog BacklogOf(Link link) => throw new NotSupportedException();

    public IOutboundTurn AddSource(IPacketSource source, int weight = 1) => throw new NotSupportedException();

    public ValueTask<bool> DelayAsync(TimeSpan delay) => throw new NotSupportedException();

    public LinkCounter CreatePerLink(string name, string unit) => throw new NotSupportedException();

    public LabelledCounter CreatePerLabel(string name, string unit, string label, int most) =>
        new(name, unit, label, most);

    public override string ToString() =>
        $"{Coordinate} {Service?.HasAnnouncedKeys} {HasKeys} up {Up} view {View.Digest:x} "
        + $"[{string.Join("; ", Events.TakeLast(12))}]";

    private Packet Fill(int headerLength, byte[] body)
    {
        Packet packet = Cube.Pool.Rent(_owner);
        (packet.SourceRoute, packet.ServiceWord) = (Coordinate.Packed, LinkStateService.Id);
        packet.HeaderBytes = (byte)headerLength;
        packet.ClearHeader();
        if (body.Length > 0)
        {
            packet.Buffer = Cube.Pool.RentBody(body.Length);
            (packet.BodyOffset, packet.BodyBytes) = (0, body.Length);
            body.CopyTo(packet.WritableBody());
        }

        return packet;
    }

    private void Log(string what) => Events.Add($"{NowNanos / 1_000_000} ms {what}");
}
