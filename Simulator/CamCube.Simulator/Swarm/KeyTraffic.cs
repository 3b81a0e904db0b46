using CamCube.Runtime.Services;

namespace CamCube.Simulator.Swarm;

/// <summary>
/// Packets to random keys from every server, and a record of where they were delivered: what checkers compare with the
/// oracle. One object per cube; its instances write only their own server's part, so it may be driven by several
/// threads and is read between advances.
/// </summary>
public sealed class KeyTraffic
{
    private readonly Part[] _parts;

    /// <summary>Traffic of a cube.</summary>
    /// <param name="shape">Axis sizes.</param>
    /// <param name="packetsPerSecond">Mean rate of each server; gaps are exponential.</param>
    /// <param name="mostBodyBytes">Bodies have 0 to this many bytes.</param>
    public KeyTraffic(TorusShape shape, double packetsPerSecond, int mostBodyBytes)
    {
        (PacketsPerSecond, MostBodyBytes) = (packetsPerSecond, mostBodyBytes);
        _parts = [.. Enumerable.Range(0, shape.Count).Select(_ => new Part())];
    }

    /// <summary>Whether packets are sent now. To be changed between advances.</summary>
    public bool IsOn { get; set; } = true;

    /// <summary>Packets that were sent, or that the runtime refused.</summary>
    public long Sent => _parts.Sum(p => p.Sent);

    /// <summary>Packets that ended at a server that took itself for the root.</summary>
    public long Delivered => _parts.Sum(p => p.Delivered);

    /// <summary>Packets that arrived with wrong bytes. They are not part of the record.</summary>
    public long Damaged => _parts.Sum(p => p.Damaged);

    internal double PacketsPerSecond { get; }

    internal int MostBodyBytes { get; }

    /// <summary>The service of every server.</summary>
    public ServiceDefinition Define() =>
        ServiceDefinition.Of(activation => new KeyTrafficService(activation.Server, this));

    /// <summary>The same with a planted bug, in its place: for tests that a swarm run fails when it must.</summary>
    public ServiceDefinition DefineCanary() =>
        new()
        {
            Id = Define().Id,
            Name = "swarm-canary",
            HeaderLength = Define().HeaderLength,
            OnFault = Define().OnFault,
            Create = activation => new CanaryService(activation.Server, this),
        };

    /// <summary>Packets sent since the last time, by time.</summary>
    public List<KeyPacket> TakeSent() => Take(p => p.SentRecord);

    /// <summary>Packets delivered since the last time, by time.</summary>
    public List<KeyPacket> TakeDelivered() => Take(p => p.DeliveredRecord);

    internal Part PartOf(int rank) => _parts[rank];

    private List<KeyPacket> Take(Func<Part, List<KeyPacket>> record)
    {
        var all = new List<KeyPacket>();
        foreach (Part part in _parts)
        {
            all.AddRange(record(part));
            record(part).Clear();
        }

        return [.. all.OrderBy(p => p.Nanos)];
    }

    /// <summary>What belongs to one server, over all its runs.</summary>
    internal sealed class Part
    {
        public List<KeyPacket> SentRecord { get; } = [];

        public List<KeyPacket> DeliveredRecord { get; } = [];

        public long Sent { get; set; }

        public long Delivered { get; set; }

        public long Damaged { get; set; }

        public uint LastId { get; set; }
    }
}
