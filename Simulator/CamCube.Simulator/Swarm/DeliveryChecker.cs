using CamCube.Simulator.Checkers;

namespace CamCube.Simulator.Swarm;

/// <summary>
/// Where key packets end. The oracle's root of a key is the first server of its replica sequence that is connected to
/// the place of delivery and has its keys at that very moment. Every delivery elsewhere is counted; where servers only
/// stop and start it is a failure. A packet never ends twice unless a fault doubles packets, and in a settled cube
/// every packet ends.
/// </summary>
/// <param name="truth">The cube as it is.</param>
/// <param name="isStrict">Whether a delivery at another server than the root is a failure.</param>
/// <param name="mayDouble">Whether a fault doubles packets.</param>
public sealed class DeliveryChecker(TrueCube truth, bool isStrict, bool mayDouble) : Checker("delivery")
{
    private readonly bool[] _hasKeys = new bool[truth.Shape.Count];
    private readonly HashSet<ulong> _ended = [];
    private readonly List<KeyPacket> _mustArrive = [];
    private long _watchFrom = long.MaxValue;
    private long _watchUntil;

    /// <summary>Deliveries at a server that was not the oracle's root.</summary>
    public long Misdelivered { get; private set; }

    /// <summary>Packets that were delivered again.</summary>
    public long Doubled { get; private set; }

    /// <summary>Packets of settled times that were watched to their end.</summary>
    public long Watched { get; private set; }

    /// <summary>Packets sent in this time, in which the cube is settled and nothing fails, must arrive.</summary>
    public void Watch(long fromNanos, long untilNanos) => (_watchFrom, _watchUntil) = (fromNanos, untilNanos);

    /// <summary>Takes what happened since the last time.</summary>
    internal void Look(List<Claim> changes, List<KeyPacket> sent, List<KeyPacket> delivered)
    {
        foreach (KeyPacket packet in sent)
        {
            if (packet.Nanos >= _watchFrom && packet.Nanos <= _watchUntil)
            {
                _mustArrive.Add(packet);
            }
        }

        int change = 0;
        foreach (KeyPacket packet in delivered)
        {
            Checks++;
            change = Apply(changes, change, packet.Nanos - 1);
            if (!IsAtRoot(packet))
            {
                // Within one nanosecond the delivery may have been after the change of keys.
                change = Apply(changes, change, packet.Nanos);
                if (!IsAtRoot(packet))
                {
                    Misdeliver(packet);
                }
            }

            if (!_ended.Add(packet.Id))
            {
                Doubled++;
                if (!mayDouble)
                {
                    Fail(
                        packet.Nanos,
                        $"{Describe(packet)} ended at {truth.Shape.At(packet.Rank)}, and had ended before."
                    );
                }
            }
        }

        Apply(changes, change, long.MaxValue);
    }

    /// <summary>The settled time is over, and packets had time to arrive.</summary>
    public void EndWatch(long nanos)
    {
        foreach (KeyPacket packet in _mustArrive)
        {
            Checks++;
            Watched++;
            if (!_ended.Contains(packet.Id))
            {
                Fail(
                    nanos,
                    $"{Describe(packet)}, sent at {packet.Nanos} ns by {truth.Shape.At(packet.Rank)} in a settled "
                        + $"cube, never arrived."
                );
            }
        }

        _mustArrive.Clear();
        (_watchFrom, _watchUntil) = (long.MaxValue, 0);
    }

    private bool IsAtRoot(KeyPacket packet) => RootOf(packet) == packet.Rank;

    // In the connected part where it was delivered. A part in which nobody has keys, such as a minority, has the first
    // that runs.
    private int RootOf(KeyPacket packet)
    {
        int component = truth.ComponentOf(packet.Rank);
        int root = truth.FirstOf(packet.Route, rank => _hasKeys[rank] && truth.ComponentOf(rank) == component);
        return root >= 0 ? root : truth.FirstOf(packet.Route, rank => truth.ComponentOf(rank) == component);
    }

    private void Misdeliver(KeyPacket packet)
    {
        Misdelivered++;
        if (isStrict)
        {
            int root = RootOf(packet);
            Fail(
                packet.Nanos,
                $"{Describe(packet)} was delivered at {truth.Shape.At(packet.Rank)}, but its root was "
                    + $"{(root < 0 ? "nobody" : truth.Shape.At(root))}."
            );
        }
    }

    private string Describe(KeyPacket packet) =>
        $"packet {packet.Id:x} of key {packet.Route:x16} (home "
        + $"{Destination.FromWire(packet.Route, true).HomeIn(truth.Shape)})";

    private int Apply(List<Claim> changes, int next, long until)
    {
        for (; next < changes.Count && changes[next].Nanos <= until; next++)
        {
            _hasKeys[changes[next].Rank] = changes[next].HasKeys;
        }

        return next;
    }
}
