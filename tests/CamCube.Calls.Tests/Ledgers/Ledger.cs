using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Calls.Tests.Ledgers;

/// <summary>
/// Sums in memory at the roots of their keys: the whole of CamCube.Calls in one small service. Every addition is noted
/// under its client's name for it, so that a test knows how often it was done. Loop only.
/// </summary>
[CamCubeService(0x0779, "ledger", Header = typeof(LedgerHeader))]
public sealed class Ledger : CamCubeService, IMessageHandler<LedgerHeader>
{
    public static readonly CallLimits Limits = new(TimeSpan.FromMilliseconds(50), 30);
    private readonly IServer _server;
    private readonly IDictionary<long, int> _done;
    private readonly Caller<LedgerHeader, LedgerReply> _caller;
    private readonly RootDoor<LedgerReply> _door;
    private readonly Refuser<LedgerHeader> _refuser;
    private readonly List<WaitingCall<LedgerHeader>> _waiting = [];
    private readonly ReplyTable<bool> _gate;
    private readonly List<ulong> _own = [];
    private readonly ServerTimer _busyTimer;
    private bool _isBusy;

    /// <param name="server">The service's server.</param>
    /// <param name="done">How often each call was done, anywhere.</param>
    /// <param name="remembered">Most answers that are remembered.</param>
    public Ledger(IServer server, IDictionary<long, int> done, int remembered = 4_096)
    {
        (_server, _done) = (server, done);
        Channel = new MessageChannel<LedgerHeader>(server, new MessageOptions { MaxLength = 1 << 17 }, this);
        Answers = new RememberedAnswers<LedgerReply>(remembered, Limits.RememberNanos(1 << 17));
        Holdings = new Holdings<Sums>(server, Kind, takeoverNanos: 100_000_000, leaseNanos: 0);
        _door = new RootDoor<LedgerReply>(server, Channel.Run, Answers);
        _refuser = new Refuser<LedgerHeader>(server, Channel);
        _gate = new ReplyTable<bool>(server);
        _busyTimer = server.CreateTimer(EndBusy);
        Rounds = new ServerRounds<CountRound>(server);
        Retries = new Counter("retries", "{attempt}");
        Refusals = new Counter("refusals", "{attempt}");
        _caller = new Caller<LedgerHeader, LedgerReply>(server, Channel, Limits, new CallCounters(Retries, Refusals));
    }

    public MessageChannel<LedgerHeader> Channel { get; }

    public RememberedAnswers<LedgerReply> Answers { get; }

    public Holdings<Sums> Holdings { get; }

    public Sums.Kind Kind { get; } = new();

    public ServerRounds<CountRound> Rounds { get; }

    public Counter Retries { get; }

    public Counter Refusals { get; }

    public int Open => _caller.Open;

    public long Done { get; private set; }

    public long Malformed { get; private set; }

    /// <summary>Questions of other servers that stay without an answer.</summary>
    public bool IsSilent { get; set; }

    /// <summary>Changes wait for so long.</summary>
    public void BeBusy(TimeSpan time)
    {
        _isBusy = true;
        _busyTimer.Arm(time);
    }

    public ValueTask<LedgerReply> AddAsync(
        Key key,
        long name,
        long delta = 1,
        bool isRepeatable = false,
        byte[]? ballast = null
    ) => _caller.CallAsync(key, new LedgerCall(this, name, delta, false, isRepeatable, ballast ?? []));

    public ValueTask<LedgerReply> LookAsync(Key key) =>
        _caller.CallAsync(key, new LedgerCall(this, 0, 0, true, true, []));

    /// <summary>Sends any bytes as header and content.</summary>
    public void SendRaw(in LedgerHeader header, ReadOnlySpan<byte> body, Destination to)
    {
        if (_server.Packets.TryRent(body.Length, out Packet? packet))
        {
            packet.Header<LedgerHeader>() = header;
            body.CopyTo(packet.WritableBody());
            _server.Send(packet, to);
        }
    }

    public override void OnStart() => Channel.Start();

    public override void OnStop(StopReason reason)
    {
        _waiting.ForEach(static call => call.Content.Return());
        Channel.Stop();
    }

    public override Verdict OnPacket(in HopContext hop, Packet packet) => Channel.OnPacket(hop, packet);

    public override void OnTopologyChanged(in TopologyChange change)
    {
        Channel.OnTopologyChanged();
        Holdings.OnTopologyChanged(change);
        _caller.OnTopologyChanged(change);
    }

    public override ValueTask OnReturningAsync()
    {
        Holdings.EndAll();
        return default;
    }

    bool IMessageHandler<LedgerHeader>.OnArriving(in LedgerHeader header, Coordinate source, int length) =>
        header.Kind == LedgerKind.Add || _caller.IsWanted(header);

    public void OnMessage(in IncomingMessage<LedgerHeader> message)
    {
        int length = message.Content.Length;
        switch (message.Header.Kind)
        {
            case LedgerKind.Add when length >= LedgerHead.Size:
                OnAdd(Asked<LedgerHeader>.Of(message));
                break;
            case LedgerKind.Look:
                OnLook(Asked<LedgerHeader>.Of(message));
                break;
            case LedgerKind.Sum when length >= SumHead.Size:
                SumHead head = MemoryMarshal.Read<SumHead>(message.Content);
                _caller.OnAnswer(message, head.Root, new LedgerReply(LedgerStatus.Done, head.Sum), 0);
                break;
            case LedgerKind.Refusal:
                Malformed += _caller.OnRefusal(message) ? 0 : 1;
                break;
            case LedgerKind.Count when !IsSilent:
                long done = Done;
                LedgerHeader counted = LedgerHeader.Answering(message.Header, LedgerKind.Counted);
                Channel.Answer(message, counted, MemoryMarshal.AsBytes(new ReadOnlySpan<long>(in done)), default);
                break;
            case LedgerKind.Counted when length >= sizeof(long):
                if (Rounds.TryAnswer(message.Header.Question, message.Source, out CountRound? round))
                {
                    round.From.Add(message.Source);
                    round.Sum += MemoryMarshal.Read<long>(message.Content);
                }

                break;
            default:
                Malformed++;
                break;
        }
    }

    internal Readiness TryRun(Key key, long name, long delta, out LedgerReply reply, out long pauseNanos)
    {
        reply = default;
        Readiness readiness = Holdings.Check(key, delta != 0, out Holding<Sums>? holding, out pauseNanos);
        if (holding is null)
        {
            return readiness;
        }

        if (_isBusy && delta != 0)
        {
            return Readiness.Busy;
        }

        Assert.False(holding.Held.IsEnded, "What is held was ended.");
        long sum = holding.Held.ByKey.GetValueOrDefault(key) + delta;
        if (delta != 0)
        {
            holding.Held.ByKey[key] = sum;
            _done[name] = _done.TryGetValue(name, out int times) ? times + 1 : 1;
            Done++;
        }

        reply = new LedgerReply(LedgerStatus.Done, sum);
        return Readiness.Ready;
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder))]
    internal async ValueTask WaitAsync()
    {
        using Replies<bool> question = _gate.Ask();
        _own.Add(question.Id);
        await question.WaitAsync(1, TimeSpan.FromSeconds(1));
    }

    private void EndBusy()
    {
        _isBusy = false;
        foreach (WaitingCall<LedgerHeader> call in _waiting)
        {
            OnAdd(Asked<LedgerHeader>.Again(call));
            call.Content.Return();
        }

        _waiting.Clear();
        _own.ForEach(question => _gate.TryAdd(question, true));
        _own.Clear();
    }

    private void OnLook(in Asked<LedgerHeader> asked)
    {
        Readiness readiness = TryRun(asked.Header.Key, 0, 0, out LedgerReply reply, out long waitNanos);
        if (readiness == Readiness.Ready)
        {
            Reply(asked, reply);
        }
        else
        {
            _refuser.Refuse(asked, readiness, waitNanos);
        }
    }

    private void OnAdd(in Asked<LedgerHeader> asked)
    {
        LedgerHead head = MemoryMarshal.Read<LedgerHead>(asked.Content);
        RequestId id = asked.IdOf(head.Call.Number);
        Knowledge knowledge = _door.Look(id, head.Call, head.Root, out LedgerReply reply, out RefusalReason refusal);
        if (knowledge == Knowledge.Answered)
        {
            Reply(asked, reply);
            return;
        }

        if (refusal != RefusalReason.None)
        {
            _refuser.Refuse(asked, refusal, 0);
            return;
        }

        long delta = head.Delta == 0 ? 1 : head.Delta;
        Readiness readiness = TryRun(asked.Header.Key, head.Name, delta, out reply, out long waitNanos);
        if (readiness == Readiness.Busy)
        {
            _waiting.Add(asked.Keep(Channel));
        }
        else if (readiness != Readiness.Ready)
        {
            _refuser.Refuse(asked, readiness, waitNanos);
        }
        else
        {
            Answers.Add(id, reply, _server.NowNanos);
            Reply(asked, reply);
        }
    }

    private void Reply(in Asked<LedgerHeader> asked, in LedgerReply reply)
    {
        var head = new SumHead { Root = RootStamp.Of(_server, Channel.Run), Sum = reply.Sum };
        LedgerHeader header = LedgerHeader.Answering(asked.Header, LedgerKind.Sum);
        asked.Answer(Channel, header, MemoryMarshal.AsBytes(new ReadOnlySpan<SumHead>(in head)));
    }
}
