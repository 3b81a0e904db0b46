using CamCube.Services.Tunnel.Counting;
using CamCube.Services.Tunnel.Wire;

namespace CamCube.Services.Tunnel.Receiving;

/// <summary>
/// Restores the order of packets that came over several paths. On each path numbers rise, so a number that is missing
/// is lost as soon as every path that the sender says it uses has brought a later one; until then those behind it
/// wait. A timer is needed only for the last packets before a pause. Loop only; allocates nothing per packet.
/// </summary>
internal sealed class LaneOrder(ILaneEnd end, PathSkew skew, TunnelCounters counters)
{
    /// <summary>How far ahead a packet may be and wait.</summary>
    public const int Window = 1_024;

    // How far back it is known what has come.
    private const int Remembered = 4_096;
    private readonly ulong[] _came = new ulong[Remembered / 64];
    private readonly uint[] _last = new uint[Links.Count];
    private readonly EarlyPackets _early = new();
    private uint _expected;
    private uint _newest;
    private byte _paths;
    private byte _heard;
    private bool _hasBegun;

    /// <summary>Packets that wait here.</summary>
    public int Waiting => _early.Count;

    /// <summary>Since when the first of them has been waiting.</summary>
    public long WaitingSince { get; private set; }

    /// <summary>Until when it may wait.</summary>
    public long WaitsUntil => WaitingSince + skew.WaitNanos;

    /// <summary>When the last packet came.</summary>
    public long LastNanos { get; private set; }

    /// <summary>A packet came.</summary>
    public Arrival Take(Packet packet, long nowNanos)
    {
        ref TunnelHeader header = ref packet.Header<TunnelHeader>();
        uint sequence = header.Sequence;
        LastNanos = nowNanos;
        Note(header);
        int ahead = (int)(sequence - _expected);
        if (ahead < 0)
        {
            return TakeLate(packet, sequence, -(long)ahead);
        }

        if (ahead == 0)
        {
            if (Waiting > 0)
            {
                skew.Came(nowNanos - WaitingSince);
            }

            end.Deliver(packet);
            Pass(hasCome: true);
            GoOn();
            return Arrival.Delivered;
        }

        while ((int)(sequence - _expected) >= Window)
        {
            // Nobody sends so far ahead on paths that differ by microseconds: what is missing is lost.
            if (Waiting == 0)
            {
                Jump(sequence - Window + 1);
            }
            else
            {
                SkipGap(counters.GivenUp);
                GoOn();
            }
        }

        if (sequence == _expected)
        {
            end.Deliver(packet);
            Pass(hasCome: true);
            GoOn();
            return Arrival.Delivered;
        }

        if (_early.Contains(sequence, _expected))
        {
            counters.Repeated.Add();
            return Arrival.Repeated;
        }

        end.Keep(packet);
        WaitingSince = Waiting == 0 ? nowNanos : WaitingSince;
        _early.Add(packet, sequence, _expected, nowNanos);
        counters.Waited.Add();
        SkipLost();
        return Arrival.Waits;
    }

    /// <summary>Waits for the first gap no longer.</summary>
    public void GiveUpGap()
    {
        SkipGap(counters.GivenUp);
        GoOn();
    }

    /// <summary>Hands on all that waits, in order.</summary>
    public void Flush()
    {
        while (Waiting > 0)
        {
            GiveUpGap();
        }
    }

    private void Note(in TunnelHeader header)
    {
        uint sequence = header.Sequence;
        if (!_hasBegun)
        {
            // A lane begins at 0. This end may have begun later, and the first packets may come in any order.
            _hasBegun = true;
            _expected = sequence < Window ? 0 : sequence;
            _newest = sequence;
            _paths = header.Paths;
        }

        if ((int)(sequence - _newest) >= 0)
        {
            (_newest, _paths) = (sequence, header.Paths);
        }

        // What left its path says nothing of the path.
        if (header.Path < Links.Count && (header.Flags & TunnelFlags.OffPath) == 0)
        {
            bool isHeard = (_heard >> header.Path & 1) != 0;
            ref uint last = ref _last[header.Path];
            last = isHeard && (int)(last - sequence) > 0 ? last : sequence;
            _heard |= (byte)(1 << header.Path);
        }
    }

    private Arrival TakeLate(Packet packet, uint sequence, long behind)
    {
        if (behind > Remembered || (_came[sequence % Remembered / 64] >> (int)(sequence % 64) & 1) != 0)
        {
            counters.Repeated.Add();
            return Arrival.Repeated;
        }

        _came[sequence % Remembered / 64] |= 1ul << (int)(sequence % 64);
        counters.Late.Add();
        skew.CameTooLate();
        end.Deliver(packet);
        return Arrival.Delivered;
    }

    private void GoOn()
    {
        HandOn();
        SkipLost();
    }

    private void SkipLost()
    {
        while (Waiting > 0 && IsLost())
        {
            SkipGap(counters.Lost);
            HandOn();
        }
    }

    private bool IsLost()
    {
        if (_paths == 0 || (_paths & ~_heard) != 0)
        {
            return false;
        }

        for (int i = 0; i < _last.Length; i++)
        {
            if ((_paths >> i & 1) != 0 && (int)(_last[i] - _expected) <= 0)
            {
                return false;
            }
        }

        return true;
    }

    private void HandOn()
    {
        bool moved = false;
        while (_early[_expected] is { } next)
        {
            _early.Remove(_expected);
            end.Deliver(next);
            end.Release(next);
            Pass(hasCome: true);
            moved = true;
        }

        // None waits longer than it may because there were other gaps before its own.
        for (uint i = _expected; moved && Waiting > 0; i++)
        {
            if (_early[i] is not null)
            {
                WaitingSince = _early.CameNanos(i);
                break;
            }
        }
    }

    private void SkipGap(Counter counter)
    {
        while (_early[_expected] is null)
        {
            counter.Add();
            Pass(hasCome: false);
        }
    }

    private void Jump(uint to)
    {
        counters.GivenUp.Add(to - _expected);
        if (to - _expected >= Remembered)
        {
            Array.Clear(_came);
            _expected = to;
        }

        while (_expected != to)
        {
            Pass(hasCome: false);
        }
    }

    private void Pass(bool hasCome)
    {
        ulong bit = 1ul << (int)(_expected % 64);
        ref ulong word = ref _came[_expected % Remembered / 64];
        word = hasCome ? word | bit : word & ~bit;
        _expected++;
    }
}
