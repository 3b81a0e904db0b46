using CamCube.Messaging.Streams.Paths;
using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Streams.Connections;

/// <summary>
/// One path of a connection: its packets with their numbers, which of them are lost, and how many may be under way. A
/// path is first in, first out at each hop, so a gap is a loss.
/// </summary>
internal sealed class ConnectionPath(StreamConnection connection, int index)
{
    // Packets that came later, after which one is lost.
    private const int LaterPackets = 3;

    // Before there is a sample.
    private const long FirstRoundTrip = 2_000_000;
    private const int ProbePackets = 2;

    // How often the time of a probe doubles. Before there is a sample up to half a second: nobody knows how long the
    // queues are, and probes stand in them, too.
    private const int Doublings = 2,
        FirstDoublings = 8;

    // How long a late packet is remembered: a second, and so many round trips.
    private const long LateMemory = 1_000_000_000;
    private const int LateRoundTrips = 16;

    // Numbers for which a lost packet is remembered, since it may still come.
    private const int LostMemory = 300;

    // Probes without an answer after which the other paths go on without it, and how often it is tried then.
    private const int MostProbes = 8;
    private const long SilentProbe = 100_000_000;

    // Packets under way to this very server, where nothing marks.
    private const int MostLocal = 32;

    // An acknowledgement costs nearly what a packet does: where many packets are under way few are enough to keep the
    // window open.
    private const int LeastPerAck = 2,
        AcksPerWindow = 8;

    // A path on which nothing was under way for so long takes an unknown number of packets, and the others should get
    // theirs: a cable that is not paced would take all that a wide window lets through.
    private const int RestRoundTrips = 4;
    private const long LeastRest = 1_000_000;

    private readonly SentPackets _sent = new();
    private PathWindow _window = new();
    private RoundTrip _roundTrip;
    private long _largest = -1;
    private long _marked;
    private long _lossNanos = long.MaxValue;
    private long _probeNanos = long.MaxValue;
    private long _lateNanos;
    private long _lateAtNanos;
    private int _backoff;
    private int _probes;
    private int _unasked;
    private long _sentNanos;

    /// <summary>What came on it.</summary>
    public ReceivedPackets Received { get; } = new();

    public StreamConnection Connection => connection;

    /// <summary>The link it begins with, or <see cref="PathWord.Routed"/>.</summary>
    public int Index => index;

    /// <summary>Links on which its packets may leave now; none: it is down.</summary>
    public LinkSet Links { get; set; }

    /// <summary>Links at which it stands in line.</summary>
    public LinkSet Queued { get; set; }

    /// <summary>Whether it stands among those to this very server.</summary>
    public bool IsQueuedLocal { get; set; }

    /// <summary>Bytes that it may still send in this turn.</summary>
    public int TurnBytes { get; set; }

    /// <summary>Packets sent.</summary>
    public long Packets => _sent.Next;

    /// <summary>Packets that were lost.</summary>
    public long Lost { get; private set; }

    /// <summary>Packets that a hop marked.</summary>
    public long Marked => _marked;

    /// <summary>Estimate of the round trip; 0: there is none.</summary>
    public long RoundTripNanos => _roundTrip.Smoothed;

    /// <summary>Bytes of the bodies of all packets.</summary>
    public long Bytes { get; private set; }

    /// <summary>When the newest packet was sent that was acknowledged.</summary>
    public long AnsweredNanos { get; private set; }

    /// <summary>When the oldest packet was sent of which nothing is known; long.MaxValue: there is none.</summary>
    public long UnansweredNanos => OldestInFlight() is var n and >= 0 ? _sent.SentNanosOf(n) : long.MaxValue;

    /// <summary>It answers no more, while others of the connection do: only probes leave on it.</summary>
    public bool IsSilent { get; private set; }

    /// <summary>Packets under way.</summary>
    public int InFlight => _sent.InFlight;

    /// <summary>Packets that may be under way.</summary>
    public double Window => _window.Packets;

    /// <summary>The next moment at which something is due.</summary>
    public long DueNanos => Math.Min(Math.Min(_lossNanos, _probeNanos), Received.AckNanos);

    /// <summary>Whether probes are due, which no window holds back.</summary>
    public bool MustProbe => _probes > 0;

    /// <summary>Whether the window lets a packet through.</summary>
    public bool HasWindow =>
        _sent.InFlight < (int)(connection.IsLocal ? Math.Min(_window.Packets, MostLocal) : _window.Packets);

    /// <summary>There is more to send than the window lets through.</summary>
    public void NoteUsedUp() => _window.NoteUsedUp();

    /// <summary>Number of the packet that is being made.</summary>
    public uint NextNumber => (uint)_sent.Next;

    /// <summary>A frame goes into the packet that is being made.</summary>
    public void Add(in SentFrame frame) => _sent.Add(frame);

    /// <summary>The packet is made, and leaves. True: it asks for an acknowledgement.</summary>
    public bool Close(int frames, int bytes, long nowNanos)
    {
        Bytes += bytes;
        long rest = Math.Max(RestRoundTrips * _roundTrip.Smoothed, LeastRest);
        if (_sent.InFlight == 0 && nowNanos - _sentNanos > rest)
        {
            _window = new PathWindow();
        }

        _sentNanos = nowNanos;
        _sent.Close(nowNanos, frames);
        bool asks =
            _probes > 0 || ++_unasked >= Math.Max(LeastPerAck, (int)_window.Packets / AcksPerWindow) || !HasWindow;
        _unasked = asks ? 0 : _unasked;
        _probes = Math.Max(0, _probes - 1);
        ArmProbe(nowNanos);
        return asks;
    }

    /// <summary>The oldest packet of which nothing is known; −1: there is none.</summary>
    public long OldestInFlight()
    {
        for (long n = _sent.First; n < _sent.Next; n++)
        {
            if (_sent.FateOf(n) == PacketFate.InFlight)
            {
                return n;
            }
        }

        return -1;
    }

    /// <inheritdoc cref="SentPackets.FramesOf"/>
    public int FramesOf(long number) => _sent.FramesOf(number);

    /// <inheritdoc cref="SentPackets.FrameOf"/>
    public SentFrame FrameOf(long number, int i) => _sent.FrameOf(number, i);

    /// <summary>An acknowledgement of its packets has come. False: it cannot be.</summary>
    public bool TryTakeAck(in FrameReader ack, long nowNanos)
    {
        long largest = Serial.Expand(ack.Code, _sent.Next - 1);
        if (largest >= _sent.Next || largest < 0)
        {
            return false;
        }

        bool isNews = false;
        long high = largest;
        for (int i = 0; i < ack.Bytes.Length / 4; i++)
        {
            (int gap, int length) = FrameReader.RangeAt(ack.Bytes, i);
            high -= gap;
            long low = high - length + 1;
            if (length == 0 || low < 0)
            {
                return false;
            }

            for (long n = high; n >= Math.Max(low, _sent.First); n--)
            {
                isNews |= Arrive(n, n == largest, ack.DelayMicros, nowNanos);
            }

            high = low - 1;
        }

        long marked = Serial.Expand((uint)ack.Offset, _marked);
        if (marked > _marked && marked <= _sent.Next)
        {
            _window.CountMarked(marked - _marked);
            _marked = marked;
        }

        _largest = Math.Max(_largest, largest);
        if (isNews)
        {
            _backoff = 0;
            connection.NoteHeard(nowNanos);
            BeginAnewIfSilent();
        }

        Detect(nowNanos);
        ArmProbe(nowNanos);
        return true;
    }

    /// <summary>Does what is due, but acknowledgements.</summary>
    public void OnTimer(long nowNanos)
    {
        if (_lossNanos <= nowNanos)
        {
            Detect(nowNanos);
        }

        if (_probeNanos <= nowNanos)
        {
            _backoff++;
            if (IsSilent || (_backoff >= MostProbes && connection.Paths.IsAnotherHeard(this)))
            {
                IsSilent = true;
                LoseAll();
            }

            _probes = _roundTrip.HasSample && !IsSilent && !_window.IsMarked ? ProbePackets : 1;
            ArmProbe(nowNanos);
        }
    }

    /// <summary>A silent one is used like a new one: nothing is known of how much it takes now.</summary>
    public void BeginAnewIfSilent()
    {
        if (IsSilent)
        {
            (IsSilent, _window, _backoff) = (false, new PathWindow(), 0);
        }
    }

    /// <summary>Asks whether anybody is there.</summary>
    public void Probe() => _probes = Math.Max(_probes, 1);

    /// <summary>How it is now.</summary>
    public StreamPathReport Describe() =>
        new(
            index == PathWord.Routed ? null : (Link)index,
            !Links.IsEmpty,
            Packets,
            Bytes,
            Lost,
            Marked,
            _window.Packets,
            _sent.InFlight,
            TimeSpan.FromMicroseconds(_roundTrip.Smoothed / 1_000.0)
        );

    /// <summary>Its links have changed: all packets under way count as lost.</summary>
    public void LoseAll()
    {
        for (long n = _sent.First; n < _sent.Next; n++)
        {
            if (_sent.FateOf(n) == PacketFate.InFlight)
            {
                Lose(n);
            }
        }

        (_lossNanos, _probeNanos, _probes) = (long.MaxValue, long.MaxValue, 0);
        _sent.Forget(_sent.Next - LostMemory);
    }

    private bool Arrive(long number, bool isLargest, int delayMicros, long nowNanos)
    {
        PacketFate fate = _sent.FateOf(number);
        if (fate is PacketFate.Arrived or PacketFate.Late)
        {
            return false;
        }

        long age = nowNanos - _sent.SentNanosOf(number);
        if (fate == PacketFate.Lost)
        {
            if (number < _largest)
            {
                // It was overtaken: on this path order means nothing for some time. What nobody had acknowledged beyond
                // it counted as lost since a cable was, or all were silent: that says nothing of its order.
                (_lateNanos, _lateAtNanos) = (Math.Max(_lateNanos, age), nowNanos);
            }

            _sent.Settle(number, PacketFate.Late);
        }
        else
        {
            _sent.Settle(number, PacketFate.Arrived);
            _window.CountArrived();
            if (isLargest)
            {
                _roundTrip.Add(age - Math.Min(delayMicros * 1_000L, connection.AckDelayNanos));
            }
        }

        AnsweredNanos = Math.Max(AnsweredNanos, _sent.SentNanosOf(number));
        for (int i = 0; i < _sent.FramesOf(number); i++)
        {
            connection.Arrived(_sent.FrameOf(number, i));
        }

        return true;
    }

    private void Detect(long nowNanos)
    {
        _lossNanos = long.MaxValue;
        if (_largest < 0)
        {
            return;
        }

        long longest = Math.Max(_roundTrip.Smoothed, _roundTrip.Latest) * 9 / 8;
        bool isByTimeOnly = IsDisorderly(nowNanos);
        longest = isByTimeOnly ? Math.Max(longest, _lateNanos * 9 / 8) : longest;
        int later = 0;
        for (long n = Math.Min(_sent.Next - 1, _largest); n >= _sent.First; n--)
        {
            PacketFate fate = _sent.FateOf(n);
            if (fate is PacketFate.Arrived or PacketFate.Late)
            {
                later++;
                continue;
            }

            if (fate != PacketFate.InFlight)
            {
                continue;
            }

            long due = _sent.SentNanosOf(n) + longest;
            if ((later >= LaterPackets && !isByTimeOnly) || due <= nowNanos)
            {
                Lose(n);
            }
            else
            {
                _lossNanos = Math.Min(_lossNanos, due);
            }
        }

        _sent.Forget(_largest - LostMemory);
        if (_largest >= _window.RoundEnd)
        {
            _window.EndRound(_sent.Next);
        }
    }

    // On such a path a packet that is overtaken is no lost one.
    private bool IsDisorderly(long nowNanos)
    {
        if (index == PathWord.Routed)
        {
            return true;
        }

        if (_lateNanos > 0 && nowNanos - _lateAtNanos > Math.Max(LateMemory, LateRoundTrips * _roundTrip.Smoothed))
        {
            (_lateNanos, _lateAtNanos) = (_lateNanos / 2, nowNanos);
            _lateNanos = _lateNanos < _roundTrip.Smoothed ? 0 : _lateNanos;
        }

        return _lateNanos > 0;
    }

    private void Lose(long number)
    {
        _sent.Settle(number, PacketFate.Lost);
        _window.CountLost();
        Lost++;
        for (int i = 0; i < _sent.FramesOf(number); i++)
        {
            connection.Lose(_sent.FrameOf(number, i));
        }
    }

    // Doubles to four times only once there is a sample: unbounded, all stands still where most round trips fail. Where
    // packets are marked, what is late most likely stands in a queue, and probes, which no window holds back, would
    // make it longer.
    private void ArmProbe(long nowNanos)
    {
        if (IsSilent)
        {
            _probeNanos = connection.IsOver || Links.IsEmpty ? long.MaxValue : nowNanos + SilentProbe;
            return;
        }

        if (_sent.InFlight == 0)
        {
            _probeNanos = long.MaxValue;
            return;
        }

        long time = _roundTrip.HasSample
            ? Math.Max(_roundTrip.Smoothed + (4 * _roundTrip.Variation), connection.ProbeFloorNanos)
            : FirstRoundTrip;
        time += _backoff == 0 || _window.IsMarked ? connection.AckDelayNanos : 0;
        _probeNanos = nowNanos + (time << Math.Min(_backoff, _roundTrip.HasSample ? Doublings : FirstDoublings));
    }
}
