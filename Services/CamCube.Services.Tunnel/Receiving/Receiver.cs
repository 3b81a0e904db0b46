using CamCube.Services.Tunnel.Counting;
using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel.Receiving;

/// <summary>Packets that have come to their destination: into order, lane by lane. Loop only; allocates nothing per
/// packet.</summary>
internal sealed class Receiver
{
    // A lane on which nothing came for so long is forgotten.
    private static readonly TimeSpan Idle = TimeSpan.FromSeconds(60);
    private readonly IServer _server;
    private readonly TunnelOptions _options;
    private readonly TunnelCounters _counters;
    private readonly ILaneEnd _end;
    private readonly LaneSet?[] _sets;
    private readonly List<LaneOrder> _waiting = [];
    private readonly ServerTimer _timer;
    private readonly long _mostWait;
    private long _due;

    /// <summary>The receiver of a server.</summary>
    public Receiver(IServer server, TunnelOptions options, ILaneEnd end, TunnelCounters counters)
    {
        (_server, _options, _end, _counters) = (server, options, end, counters);
        _sets = new LaneSet?[server.Shape.Count];
        _mostWait = (long)options.MostWait.TotalNanoseconds;
        _timer = server.CreateTimer(GiveUp);
    }

    /// <summary>A mistake that is made, for tests: whatever comes is handed on.</summary>
    public bool HandsOnAtOnce { get; set; }

    /// <summary>Packets that wait for earlier ones.</summary>
    public int Waiting
    {
        get
        {
            int waiting = 0;
            foreach (LaneOrder lane in _waiting)
            {
                waiting += lane.Waiting;
            }

            return waiting;
        }
    }

    /// <summary>Begins to forget lanes.</summary>
    public void Start() => _server.Every(Idle, Forget);

    /// <summary>A packet that was found right.</summary>
    public Verdict Take(Packet packet)
    {
        ref TunnelHeader header = ref packet.Header<TunnelHeader>();
        LaneSet set = _sets[_server.Shape.RankOf(packet.Source)] ??= new LaneSet(header.Run, _mostWait);
        long now = _server.NowNanos;
        if (set.Run != header.Run)
        {
            if (set.IsPast(header.Run, now))
            {
                _counters.Stale.Add();
                return Verdict.Drop(DropReason.Stale);
            }

            Flush(set);
            set.Begin(header.Run);
        }

        set.LastNanos = now;
        LaneOrder lane = set.Lanes[header.Lane] ??= new LaneOrder(_end, set.Skew, _counters);
        bool waited = lane.Waiting > 0;
        Arrival arrival = HandsOnAtOnce ? HandOn(packet) : lane.Take(packet, now);
        if (lane.Waiting > 0 && !waited)
        {
            _waiting.Add(lane);
            if (!_timer.IsArmed || lane.WaitsUntil < _due)
            {
                Arm(lane.WaitsUntil);
            }

            if (_waiting.Count > 1 && Waiting > _options.QueuePackets)
            {
                _waiting[0].Flush();
                _waiting.RemoveAt(0);
            }
        }
        else if (lane.Waiting == 0 && waited)
        {
            _waiting.Remove(lane);
        }

        return arrival switch
        {
            Arrival.Waits => Verdict.Taken,
            Arrival.Repeated => Verdict.Drop(DropReason.Stale),
            _ => Verdict.Consume,
        };
    }

    /// <summary>Hands on all that waits.</summary>
    public void Flush()
    {
        foreach (LaneOrder lane in _waiting)
        {
            lane.Flush();
        }

        _waiting.Clear();
    }

    private Arrival HandOn(Packet packet)
    {
        _end.Deliver(packet);
        return Arrival.Delivered;
    }

    private void GiveUp()
    {
        long now = _server.NowNanos,
            due = long.MaxValue;
        for (int i = _waiting.Count - 1; i >= 0; i--)
        {
            LaneOrder lane = _waiting[i];
            while (lane.Waiting > 0 && lane.WaitsUntil <= now)
            {
                lane.GiveUpGap();
            }

            if (lane.Waiting == 0)
            {
                _waiting.RemoveAt(i);
            }
            else
            {
                due = Math.Min(due, lane.WaitsUntil);
            }
        }

        if (due != long.MaxValue)
        {
            Arm(due);
        }
    }

    private void Arm(long due)
    {
        _due = due;
        _timer.ArmAt(due);
    }

    private void Flush(LaneSet set)
    {
        for (int i = 0; i < set.Lanes.Length; i++)
        {
            if (set.Lanes[i] is { Waiting: > 0 } lane)
            {
                lane.Flush();
                _waiting.Remove(lane);
            }
        }
    }

    private void Forget()
    {
        long before = _server.NowNanos - (long)Idle.TotalNanoseconds;
        foreach (LaneSet? set in _sets)
        {
            for (int i = 0; set is not null && i < set.Lanes.Length; i++)
            {
                if (set.Lanes[i] is { Waiting: 0 } lane && lane.LastNanos < before)
                {
                    set.Lanes[i] = null;
                }
            }
        }
    }
}
