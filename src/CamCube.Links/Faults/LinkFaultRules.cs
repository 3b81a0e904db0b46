namespace CamCube.Faults;

/// <summary>
/// The fault rules in force on the links of one cube, or of one real server: simulated and real links obey the same.
/// Rules work on packets as they enter a link. While there is no rule for a server its links cost nothing more in the
/// simulator. Members may be called from any thread; in the simulator, between two advances.
/// </summary>
public sealed class LinkFaultRules
{
    private readonly Lock _lock = new();
    private readonly ulong _seed;
    private readonly FaultyLinks?[] _links;
    private readonly LinkFaultCounts[] _past;
    private volatile ActiveRule[] _rules = [];

    /// <summary>No rules yet.</summary>
    /// <param name="shape">The cube.</param>
    /// <param name="seed">Seed of all that the rules draw.</param>
    public LinkFaultRules(TorusShape shape, ulong seed) =>
        (Shape, _seed, _links, _past) = (shape, seed, new FaultyLinks?[shape.Count], new LinkFaultCounts[shape.Count]);

    /// <summary>The cube.</summary>
    public TorusShape Shape { get; }

    /// <summary>How many rules are in force.</summary>
    public int Count => _rules.Length;

    /// <summary>What the rules have done at all servers, healed ones too. Sums of counters that are written while they
    /// are read.</summary>
    public LinkFaultCounts Counts
    {
        get
        {
            LinkFaultCounts sum = default;
            for (int rank = 0; rank < _links.Length; rank++)
            {
                sum += CountsOf(rank);
            }

            return sum;
        }
    }

    /// <summary>Told, on a server's loop, of a rule that threw and is in force no more. Null: it is thrown. Set before
    /// there are rules.</summary>
    public Action<LinkFault, Exception>? Ended { get; set; }

    /// <summary>Told after each change of the rules, by who changed them.</summary>
    public Action Changed { get; set; } = static () => { };

    internal ActiveRule[] Active => _rules;

    /// <summary>Puts a fault into force. Rules add up: a packet meets all that fit it, in the order in which they were
    /// added.</summary>
    /// <param name="fault">What happens.</param>
    /// <param name="scope">Where; null = on all links.</param>
    /// <returns>Disposing it heals: packets that enter a link from then on are not touched, those held back still come
    /// when they would have.</returns>
    /// <exception cref="ArgumentException">The scope names servers that the cube does not have.</exception>
    public IDisposable Add(LinkFault fault, LinkScope? scope = null)
    {
        ArgumentNullException.ThrowIfNull(fault);
        scope ??= LinkScope.All;
        var rule = new ActiveRule(this, fault, scope.Resolve(Shape), scope.Service?.Value ?? -1);
        lock (_lock)
        {
            _rules = [.. _rules, rule];
        }

        Changed();
        return rule;
    }

    /// <summary>Ends all rules.</summary>
    public void Heal()
    {
        lock (_lock)
        {
            _rules = [];
        }

        Changed();
    }

    /// <summary>What the rules have done at one server, as sender.</summary>
    public LinkFaultCounts CountsOf(int rank) => _past[rank] + (_links[rank]?.Counts ?? default);

    /// <summary>Whether any rule concerns the links of a server, as sender.</summary>
    public bool Concern(int rank)
    {
        foreach (ActiveRule rule in _rules)
        {
            if (rule.Links[rank] != 0)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Links of one server that obey the rules. Links that the same server had before are done with; their
    /// counts are kept.</summary>
    /// <param name="rank">The server.</param>
    /// <param name="inner">Its links.</param>
    public LinkDriver Wrap(int rank, LinkDriver inner)
    {
        _past[rank] = CountsOf(rank);
        return _links[rank] = new FaultyLinks(this, rank, new FaultRandom(_seed, rank), inner);
    }

    /// <summary>A rule in force. Disposing ends it.</summary>
    internal sealed class ActiveRule(LinkFaultRules rules, LinkFault fault, byte[] links, int service) : IDisposable
    {
        public LinkFault Fault => fault;

        /// <summary>Links concerned, per rank of the sender.</summary>
        public byte[] Links => links;

        /// <summary>Whose packets; −1 = all.</summary>
        public int Service => service;

        public void Dispose()
        {
            lock (rules._lock)
            {
                rules._rules = [.. rules._rules.Where(rule => rule != this)];
            }

            rules.Changed();
        }
    }
}
