using CamCube.Runtime.Services;

namespace CamCube.Simulator.Swarm;

/// <summary>
/// Questions from every server to random servers, answered by turning the packet round, and a record of those without
/// an answer. One object per cube; each instance writes its own server's part only.
/// </summary>
public sealed class PingTraffic
{
    private readonly Part[] _parts;

    /// <summary>Traffic of a cube.</summary>
    /// <param name="shape">Axis sizes.</param>
    /// <param name="pingsPerSecond">Mean rate of each server; gaps are exponential.</param>
    public PingTraffic(TorusShape shape, double pingsPerSecond)
    {
        PingsPerSecond = pingsPerSecond;
        _parts = [.. Enumerable.Range(0, shape.Count).Select(_ => new Part())];
    }

    /// <summary>Whether questions are sent now. To be changed between advances.</summary>
    public bool IsOn { get; set; } = true;

    /// <summary>Questions sent, those too that the runtime refused.</summary>
    public long Asked => _parts.Sum(p => p.Asked);

    /// <summary>Questions that were answered.</summary>
    public long Answered => _parts.Sum(p => p.Answered);

    /// <summary>Packets that ended as an answer, in time or too late.</summary>
    internal long Ended => _parts.Sum(p => p.Ended);

    internal double PingsPerSecond { get; }

    /// <summary>The service of every server.</summary>
    public ServiceDefinition Define() =>
        ServiceDefinition.Of(activation => new PingTrafficService(activation.Server, this));

    /// <summary>
    /// Questions of a time, in the order of ranks: when, who asked whom, whether it was sent, whether it was answered.
    /// Forgets all of them.
    /// </summary>
    public IReadOnlyList<Question> Take(long fromNanos, long untilNanos)
    {
        var all = new List<Question>();
        foreach (Part part in _parts)
        {
            all.AddRange(part.Questions.Where(q => q.Nanos >= fromNanos && q.Nanos <= untilNanos));
            part.Questions.Clear();
            part.First = part.Asked;
        }

        return all;
    }

    internal Part PartOf(int rank) => _parts[rank];

    /// <summary>One question.</summary>
    /// <param name="Nanos">When it was asked.</param>
    /// <param name="From">Who asked.</param>
    /// <param name="To">Who was asked.</param>
    /// <param name="IsSent">False: the runtime knew no path.</param>
    /// <param name="IsAnswered">Whether the answer came back.</param>
    public readonly record struct Question(long Nanos, int From, int To, bool IsSent, bool IsAnswered);

    /// <summary>What belongs to one server, over all its runs.</summary>
    internal sealed class Part
    {
        public List<Question> Questions { get; } = [];

        /// <summary>Number of the first question in the list.</summary>
        public long First { get; set; }

        public long Asked { get; set; }

        public long Answered { get; set; }

        public long Ended { get; set; }
    }
}
