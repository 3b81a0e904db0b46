using CamCube.Services.Collectives.Counting;
using CamCube.Services.Collectives.Wire;
using CamCube.Trees;

namespace CamCube.Services.Collectives.Groups;

/// <summary>What the groups of a server have in common. Loop only.</summary>
internal sealed class GroupTerms(
    IServer server,
    CollectivesOptions options,
    PullEndpoint<CollectivesHeader, EdgeRequest> pulls
)
{
    /// <summary>Bytes that are added up at a time.</summary>
    public const int Block = 16 << 10;

    public IServer Server => server;

    public CollectivesOptions Options => options;

    public PullEndpoint<CollectivesHeader, EdgeRequest> Pulls => pulls;

    public CollectivesCounters Counters { get; } = new(server.Counters);

    /// <summary>A mistake that it makes, for tests.</summary>
    public CollectivesMistake Mistake { get; set; }

    /// <summary>Room for what is not in one piece; whose turn it is has it.</summary>
    public byte[] Scratch { get; } = new byte[Block];

    /// <summary>Bytes that are kept of what went down an edge: more than can be under way.</summary>
    public int Kept => 3 * options.Window;

    /// <summary>Whether it makes a mistake.</summary>
    public bool Makes(CollectivesMistake mistake) => (Mistake & mistake) != 0;
}
